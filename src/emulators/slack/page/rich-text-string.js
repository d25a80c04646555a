import { isRecord } from './slack-json.js';

/**
 * Rich text as plain words, one line for each of its parts.
 * @param {unknown} block a rich_text block, or nothing
 * @returns {string}
 */
export function readRichText(block) {
  if (!isRecord(block) || !Array.isArray(block.elements)) return '';
  return block.elements.map(readLine).join('\n');
}

/**
 * @param {unknown} part
 * @returns {string}
 */
function readLine(part) {
  if (!isRecord(part)) return '';
  if (typeof part.text === 'string') return part.text;
  if (!Array.isArray(part.elements)) return String(part.url ?? part.name ?? '');
  return part.elements.map(readLine).join(part.type === 'rich_text_list' ? '\n' : '');
}

/**
 * Words as the rich text that Slack's editor makes of them where nothing is formatted; null for none.
 * @param {string} words
 */
export function createRichText(words) {
  if (words === '') return null;
  const text = { type: 'text', text: words };
  return { type: 'rich_text', elements: [{ type: 'rich_text_section', elements: [text] }] };
}
