import type { KnownBlock } from '@slack/types';
import { plainSection, section } from './blocks.ts';
import { escapeText } from './escape.ts';

/** A Slack message. Notifications and screen readers use `text`, so it must make sense without the blocks. */
export interface Message {
  text: string;
  blocks?: KnownBlock[];
}

/** Keeps Slack from turning parts of a message into links, mentions or previews. */
const INERT = { parse: 'none', link_names: false, unfurl_links: false, unfurl_media: false } as const;

/** Prepares a message for Slack's chat methods or a response_url, with link and mention parsing and previews off. */
export function inert(message: Message): Message & typeof INERT {
  return { ...message, ...INERT };
}

/** `line` contains text from people and is shown as plain text; `more` (mrkdwn) says what to do. */
export function quotingMessage(line: string, more?: string): Message {
  return {
    text: `${escapeText(line)} ${more ?? ''}`.trim(),
    blocks: [plainSection(line), ...(more === undefined ? [] : [section(more)])],
  };
}
