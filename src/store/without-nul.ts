import {
  type KyselyPlugin,
  OperationNodeTransformer,
  type PluginTransformQueryArgs,
  type PluginTransformResultArgs,
  type PrimitiveValueListNode,
  type ValueNode,
} from 'kysely';

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
