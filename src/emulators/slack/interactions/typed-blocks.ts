import { createHash } from 'node:crypto';
import type { Json } from '../json.ts';
import { buildRichTextElements } from './rich-text.ts';

interface TextMessage {
  channel: string;
  ts: string;
  /** Escaped, as Slack returns it. */
  text: string;
}

/** A stable source of ids for a message, so that they needn't be stored. */
function hashMessage({ channel, ts }: TextMessage): string {
  return createHash('sha256').update(`${channel} ${ts}`).digest('hex');
}

/** The rich_text block that Slack makes of a message without blocks. */
export function buildTextBlocks(message: TextMessage): { blocks: Json[] } {
  const block_id = hashMessage(message).slice(-5);
  return { blocks: [{ type: 'rich_text', block_id, elements: buildRichTextElements(message.text) }] };
}

/** The fields that Slack's client adds to a typed message: an id, and the rich_text block. */
export function buildTypedParts(message: TextMessage): Json {
  const client_msg_id = hashMessage(message).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12}).*$/, '$1-$2-$3-$4-$5');
  return { client_msg_id, ...buildTextBlocks(message) };
}
