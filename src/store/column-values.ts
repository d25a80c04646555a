import { type ColumnType, PostgresQueryCompiler, type RawBuilder, sql } from 'kysely';

/** A `timestamptz` column, written and read as a Date. */
export type Timestamp = ColumnType<Date, Date, Date>;

// A nullable column that is omitted in an insert is null.
export type NullableTimestamp = ColumnType<Date | null, Date | null | undefined, Date | null>;
export type NullableText = ColumnType<string | null, string | null | undefined, string | null>;
export type NullableCount = ColumnType<number | null, number | null | undefined, number | null>;

/**
 * Parsers for the column types that pg and PGlite parse differently by default, by oid
 * (https://github.com/postgres/postgres/blob/master/src/include/catalog/pg_type.dat). Both databases use this table, so
 * that they return the same values.
 */
export const columnParsers: Readonly<Record<number, (text: string) => unknown>> = {
  17: (text) => new Uint8Array(Buffer.from(text.slice('\\x'.length), 'hex')), // bytea
  20: parseInteger, // int8
  1082: parseTimestamp, // date
  1114: parseTimestamp, // timestamp
  1184: parseTimestamp, // timestamptz
  1186: (text) => text, // interval
};

/** Maps the oid of each array type to the oid of its elements. PGlite parses arrays without this table. */
export const elementTypes: Readonly<Record<number, number>> = {
  1001: 17,
  1016: 20,
  1115: 1114,
  1182: 1082,
  1185: 1184,
  1187: 1186,
};

function parseInteger(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value)) throw new RangeError('int8 column holds a number beyond ±(2^53 - 1)');
  return value;
}

/** Parses `2026-12-01`, `2026-12-01 09:00:00.5` and `2026-12-01 09:00:00+00`. A time without an offset is UTC. */
function parseTimestamp(text: string): Date {
  const [, day, time = '00:00:00', offset] =
    /^(\d{4}-\d\d-\d\d)(?: ([\d:.]+)([+-][\d:]+)?)?$/.exec(text) ?? [];
  if (day === undefined)
    throw new RangeError('date column holds a value that a JavaScript Date cannot represent');
  return new Date(
    `${day}T${time}${offset === undefined ? 'Z' : offset.length === 3 ? `${offset}:00` : offset}`,
  );
}

/**
 * Cleans all texts of queries, because Postgres refuses NUL (error 22021). Ids of the service and values of Slack
 * buttons may contain NUL. Texts are cleaned both when they are stored and when they are looked up, so the two match.
 */
export class CleaningQueryCompiler extends PostgresQueryCompiler {
  protected override appendValue(parameter: unknown): void {
    super.appendValue(cleanValue(parameter));
  }
}

function cleanValue(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(cleanValue);
  return typeof value === 'string' ? cleanText(value) : value;
}

/** Returns the text that Postgres stores: without NUL, and without lone surrogates, which UTF-8 can't express. */
export function cleanText(text: string): string {
  return text.toWellFormed().replaceAll('\0', '\uFFFD');
}

/** Converts a value to the JSON of a parameter. The texts in it are cleaned as those of other parameters are. */
export function toJsonParameter(value: unknown): string {
  const json = JSON.stringify(value);
  // NUL and lone surrogates are escaped in JSON. Few texts have an escape, and a replacer is slow.
  if (!json.includes('\\u')) return json;
  return JSON.stringify(value, (_key, part: unknown) => (typeof part === 'string' ? cleanText(part) : part));
}

/**
 * SQL that lists columns, each once. It is one piece of text, because Kysely takes as long to compile 25 references as to
 * compile all other parts of a large statement.
 */
export function listColumns(names: readonly string[]): RawBuilder<unknown> {
  const identifiers = [...new Set(names)].map((name) => `"${name.replaceAll('"', '""')}"`);
  return sql.raw(identifiers.join(', '));
}
