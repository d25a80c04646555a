/**
 * @import { KnownBlock, TextObject } from '@slack/types'
 * @typedef {KnownBlock & { block_id?: string }} PageBlock
 */

/**
 * Checks only the `type`, because the workspace accepts only valid blocks. An error while rendering a block affects
 * only that block.
 * @param {unknown} value
 * @returns {value is PageBlock}
 */
function isBlock(value) {
  return isRecord(value) && typeof value.type === 'string';
}

/**
 * @param {unknown} value
 * @returns {PageBlock[]}
 */
export function readBlocks(value) {
  return Array.isArray(value) ? value.filter(isBlock) : [];
}

/**
 * @param {unknown} value
 * @returns {value is Record<string, unknown>}
 */
export function isRecord(value) {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * @param {unknown} value
 * @returns {value is TextObject}
 */
export function isTextObject(value) {
  return (
    isRecord(value) &&
    typeof value.text === 'string' &&
    (value.type === 'plain_text' || value.type === 'mrkdwn')
  );
}

/**
 * The text of a text object.
 * @param {unknown} value
 * @param {string} fallback for any other value
 */
export function getPlainText(value, fallback) {
  return isTextObject(value) ? value.text : fallback;
}

/**
 * A block's block_id. Blocks of the examples have none, so their index takes its place.
 * @param {PageBlock} block
 * @param {number} index
 */
export function getBlockId(block, index) {
  return block.block_id ?? `block-${index}`;
}

/** @param {{ type: string, action_id?: string }} element */
export function getActionId(element) {
  return element.action_id ?? element.type;
}
