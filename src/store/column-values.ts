import {
  type KyselyPlugin,
  OperationNodeTransformer,
  type PluginTransformQueryArgs,
  type PluginTransformResultArgs,
  type PrimitiveValueListNode,
  type ValueNode,
} from 'kysely';

/**
 * How column types arrive whose defaults differ between pg and PGlite, by their oid
 * (https://github.com/postgres/postgres/blob/master/src/include/catalog/pg_type.dat). Both databases use this table,
 * so that both answer the same.
 */
export const columnParsers: Readonly<Record<number, (text: string) => unknown>> = {
  17: parseBytes, // bytea
  20: parseInteger, // int8
  1082: parseMoment, // date
  1114: parseMoment, // timestamp
  1184: parseMoment, // timestamptz
  1186: (text) => text, // interval
};

/** The arrays of those types, by their own oid, and the oid of what is in them. PGlite finds these by itself. */
export const arrayElements: Readonly<Record<number, number>> = {
  1001: 17,
  1016: 20,
  1115: 1114,
  1182: 1082,
  1185: 1184,
  1187: 1186,
};

function parseBytes(text: string): Uint8Array {
  return new Uint8Array(Buffer.from(text.slice('\\x'.length), 'hex'));
}

function parseInteger(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value)) throw new RangeError('an int8 column holds a number beyond ±(2^53 - 1)');
  return value;
}

/** `2026-12-01`, `2026-12-01 09:00:00.5` or `2026-12-01 09:00:00+00`; what names no offset is UTC. */
function parseMoment(text: string): Date {
  const [, day, time = '00:00:00', offset] =
    /^(\d{4}-\d\d-\d\d)(?: ([\d:.]+)([+-][\d:]+)?)?$/.exec(text) ?? [];
  if (day === undefined) throw new RangeError('a date column holds a moment that JavaScript cannot express');
  return new Date(
    `${day}T${time}${offset === undefined ? 'Z' : offset.length === 3 ? `${offset}:00` : offset}`,
  );
}

/**
 * Postgres takes no NUL in a text (error 22021), and ids of the service or pressed values may hold one: it becomes
 * U+FFFD, so that such an id is kept and found again instead of failing.
 */
class WithoutNul extends OperationNodeTransformer {
  protected override transformValue(node: ValueNode): ValueNode {
    return super.transformValue({ ...node, value: withoutNul(node.value) });
  }

  protected override transformPrimitiveValueList(node: PrimitiveValueListNode): PrimitiveValueListNode {
    return super.transformPrimitiveValueList({ ...node, values: node.values.map(withoutNul) });
  }
}

function withoutNul(value: unknown): unknown {
  return typeof value === 'string' && value.includes('\0') ? value.replaceAll('\0', '\uFFFD') : value;
}

export function nulPlugin(): KyselyPlugin {
  const transformer = new WithoutNul();
  return {
    transformQuery: ({ node, queryId }: PluginTransformQueryArgs) => transformer.transformNode(node, queryId),
    transformResult: async ({ result }: PluginTransformResultArgs) => result,
  };
}
