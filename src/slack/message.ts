import type { KnownBlock } from '@slack/types';
import { quoted, section } from './blocks.ts';
import { escapeText } from './escape.ts';

/** What the bot says. `text` is what phones, notifications and screen readers give: it stands without the blocks. */
export interface Message {
  text: string;
  blocks?: KnownBlock[];
}

/** Nothing in a message of ours is turned into a link, a mention or a preview by Slack. */
const INERT = { parse: 'none', link_names: false, unfurl_links: false, unfurl_media: false } as const;

/** A message as Slack's chat methods and a response_url take it. */
export function inert(message: Message): Message & typeof INERT {
  return { ...message, ...INERT };
}

/** A line that quotes somebody or names something of theirs, shown as it is; then, in mrkdwn, what to do. */
export function quotingMessage(line: string, more?: string): Message {
  return {
    text: `${escapeText(line)} ${more ?? ''}`.trim(),
    blocks: [quoted(line), ...(more === undefined ? [] : [section(more)])],
  };
}
