/**
 * The block_id of a block in a container or carousel. Without its own id, it gets a unique one from the outer id.
 * @param {{ block_id?: string }} block
 * @param {string} outerId
 * @param {number} index
 */
export function getNestedId(block, outerId, index) {
  return block.block_id ?? `${outerId}-${index}`;
}
