import { createHash } from 'node:crypto';
import type { Json } from '../json.ts';

/** `<@U…>`, `<#C…|name>`, `<!here>` and `<https://…>` as Slack stores them in a message's text. */
const ENTITY = /(<[^<>]+>)/;

function unescaped(text: string): string {
  return text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&');
}

function piece(part: string): Json {
  const [target = '', label] = part.slice(1, -1).split('|');
  if (!ENTITY.test(part)) return { type: 'text', text: unescaped(part) };
  if (target.startsWith('@')) return { type: 'user', user_id: target.slice(1) };
  if (target.startsWith('#')) return { type: 'channel', channel_id: target.slice(1) };
  if (target.startsWith('!')) return { type: 'broadcast', range: target.slice(1) };
  return { type: 'link', url: unescaped(target), ...(label === undefined ? {} : { text: unescaped(label) }) };
}

/** The same each time for the same message, so that nothing more of it need be kept. */
function digest(channel: string, ts: string): string {
  return createHash('sha256').update(`${channel} ${ts}`).digest('hex');
}

/** What Slack's client adds to a message that a person typed: an id of its own, and the text as a rich_text block. */
export function typedParts(message: { channel: string; ts: string; text: string }): Json {
  const hex = digest(message.channel, message.ts);
  const elements = message.text.split(ENTITY).filter((part) => part !== '');
  return {
    client_msg_id: hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12}).*$/, '$1-$2-$3-$4-$5'),
    blocks: [
      {
        type: 'rich_text',
        block_id: hex.slice(-5),
        elements: [{ type: 'rich_text_section', elements: elements.map(piece) }],
      },
    ],
  };
}
