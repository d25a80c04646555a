/**
 * The id of a block inside another; one without an id of its own is named after the outer one, so that no two are alike.
 * @param {{ block_id?: string }} block
 * @param {string} outerId
 * @param {number} index
 */
export function getNestedId(block, outerId, index) {
  return block.block_id ?? `${outerId}-${index}`;
}
