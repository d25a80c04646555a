import { createHash } from 'node:crypto';
import type { Json } from '../json.ts';
import { richTextElements } from './rich-text.ts';

interface Said {
  channel: string;
  ts: string;
  /** As Slack returns it. */
  text: string;
}

/** The same each time for the same message, so that nothing more of it needs to be stored. */
function digest({ channel, ts }: Said): string {
  return createHash('sha256').update(`${channel} ${ts}`).digest('hex');
}

/** The rich_text block that Slack makes of a message without blocks. */
export function textBlocks(message: Said): { blocks: Json[] } {
  const block_id = digest(message).slice(-5);
  return { blocks: [{ type: 'rich_text', block_id, elements: richTextElements(message.text) }] };
}

/** What Slack's client adds to a message that a person typed: an id of its own, and the rich_text block. */
export function typedParts(message: Said): Json {
  const client_msg_id = digest(message).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12}).*$/, '$1-$2-$3-$4-$5');
  return { client_msg_id, ...textBlocks(message) };
}
