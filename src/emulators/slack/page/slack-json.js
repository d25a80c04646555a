/**
 * @import { KnownBlock, TextObject } from '@slack/types'
 * @typedef {KnownBlock & { block_id?: string }} PageBlock
 */

/**
 * The workspace has already refused what Slack would refuse, so a thing with the right `type` is taken at its word; what
 * is wrong all the same fails inside its own block's boundary.
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
 * The words of a plain_text object, or `otherwise`.
 * @param {unknown} value
 * @param {string} otherwise
 */
export function getPlainText(value, otherwise) {
  return isTextObject(value) ? value.text : otherwise;
}

/**
 * A block's id as the app gave it or Slack made it; the index stands in where neither happened.
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
