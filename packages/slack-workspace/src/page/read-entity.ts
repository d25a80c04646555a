/** The text between < and > in Slack's mrkdwn. */
export type Entity =
  | { type: 'link'; url: string; label: string }
  | { type: 'user' | 'channel' | 'usergroup'; id: string; label: string | undefined }
  | { type: 'broadcast'; name: string }
  | { type: 'date'; ms: number; format: string; url: string | undefined; fallback: string }
  | { type: 'text'; text: string };

/** Allowed schemes of links. Other addresses are shown as text. */
const LINK_SCHEME = /^(?:https?:\/\/|mailto:|tel:)/i;

/** Reads the text between angle brackets. Undefined if it isn't Slack's markup, so the brackets are text. */
export function readEntity(inside: string): Entity | undefined {
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

/** `!date^1392734382^{date_short} at {time}^https://example.com` */
function readDate(head: string, fallback: string): Entity {
  const [, seconds = '', format = '', link] = head.split('^');
  if (!/^\d{1,12}$/.test(seconds)) return { type: 'text', text: fallback };
  const url = link !== undefined && LINK_SCHEME.test(link) ? unescapeText(link) : undefined;
  return { type: 'date', ms: Number(seconds) * 1000, format: unescapeText(format), url, fallback };
}

function splitOnce(text: string, separator: string): [string, string | undefined] {
  const index = text.indexOf(separator);
  return index < 0 ? [text, undefined] : [text.slice(0, index), text.slice(index + 1)];
}

/** Slack escapes only three characters. */
export const unescapeText = (text: string) =>
  text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&');
