import type { KnownBlock } from '@slack/types';
import { escapeText, plainSection, section } from './blocks.ts';

/** A Slack message. Notifications and screen readers use only `text`, so `text` must make sense without the blocks. */
export interface Message {
  text: string;
  blocks?: KnownBlock[];
}

/** Options with which Slack doesn't turn parts of a message into links, mentions or previews. */
const NO_PARSING = { parse: 'none', link_names: false, unfurl_links: false, unfurl_media: false } as const;

/**
 * Returns the message with link parsing, mention parsing and previews off, for Slack's chat methods or a response_url.
 */
export function disableParsing(message: Message): Message & typeof NO_PARSING {
  return { ...message, ...NO_PARSING };
}

/** Builds a message from `line`, plain text that quotes people, and `instructions` (mrkdwn), which say what to do. */
export function buildQuotingMessage(line: string, instructions?: string): Message {
  return {
    text: `${escapeText(line)} ${instructions ?? ''}`.trim(),
    blocks: [plainSection(line), ...(instructions === undefined ? [] : [section(instructions)])],
  };
}
