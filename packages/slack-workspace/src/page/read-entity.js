/**
 * The text between < and > in Slack's mrkdwn.
 * @typedef {{ type: 'link', url: string, label: string }
 *   | { type: 'user' | 'channel' | 'usergroup', id: string, label: string | undefined }
 *   | { type: 'broadcast', name: string }
 *   | { type: 'date', ms: number, format: string, url: string | undefined, fallback: string }
 *   | { type: 'text', text: string }} Entity
 */

/** Allowed schemes of links. Other addresses are shown as text. */
const LINK_SCHEME = /^(?:https?:\/\/|mailto:|tel:)/i;

/**
 * @param {string} inside without the angle brackets
 * @returns {Entity | undefined} undefined if this isn't Slack's markup, so the brackets are text
 */
export function readEntity(inside) {
  const [head = '', label] = splitOnce(inside, '|');
  const text = label === undefined ? undefined : unescapeText(label);
  if (/^@[UW][A-Z0-9]+$/.test(head)) return { type: 'user', id: head.slice(1), label: text };
  if (/^#[CGD][A-Z0-9]+$/.test(head)) return { type: 'channel', id: head.slice(1), label: text };
  if (/^!(?:here|channel|everyone)$/.test(head)) return { type: 'broadcast', name: head.slice(1) };
  if (head.startsWith('!subteam^')) return { type: 'usergroup', id: head.slice(9), label: text };
  if (head.startsWith('!date^')) return readDate(head, text ?? '');
  if (LINK_SCHEME.test(head)) {
    const url = unescapeText(head);
    return { type: 'link', url, label: text || url.replace(/^(?:mailto|tel):/i, '') };
  }
  return text === undefined || head.startsWith('!') ? undefined : { type: 'text', text };
}

/**
 * `!date^1392734382^{date_short} at {time}^https://example.com`
 * @param {string} head
 * @param {string} fallback
 * @returns {Entity}
 */
function readDate(head, fallback) {
  const [, seconds = '', format = '', link] = head.split('^');
  if (!/^\d{1,12}$/.test(seconds)) return { type: 'text', text: fallback };
  const url = link !== undefined && LINK_SCHEME.test(link) ? unescapeText(link) : undefined;
  return { type: 'date', ms: Number(seconds) * 1000, format: unescapeText(format), url, fallback };
}

/**
 * @param {string} text
 * @param {string} separator
 * @returns {[string, string | undefined]}
 */
function splitOnce(text, separator) {
  const index = text.indexOf(separator);
  return index < 0 ? [text, undefined] : [text.slice(0, index), text.slice(index + 1)];
}

/**
 * Slack escapes only three characters.
 * @param {string} text
 */
export const unescapeText = (text) =>
  text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&');
