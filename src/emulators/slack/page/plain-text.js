import { emojiOf } from './emoji.js';

/**
 * Text without formatting: only its emoji codes are drawn.
 * @param {string} text
 */
export function plainText(text) {
  return text.replace(/:([a-z0-9_+'-]{1,40}):/g, (code, name) => emojiOf(name) ?? code);
}
