/** The block_id of a block in a container or carousel. Without its own id, it gets a unique one from the outer id. */
export function getNestedId(block: { block_id?: string }, outerId: string, index: number) {
  return block.block_id ?? `${outerId}-${index}`;
}
