import { z } from 'zod';
import { noChanges, renderChanges } from './changes.ts';
import type { Reading } from './plain-names.ts';
import { readMrkdwn } from './read-mrkdwn.ts';
import { readRichText } from './read-rich-text.ts';

const words = z.string().optional().catch(undefined);
const block = z.object({
  type: z.string(),
  elements: z.array(z.unknown()).optional().catch(undefined),
  text: z.object({ type: z.string(), text: z.string() }).optional().catch(undefined),
});
const file = z.object({ name: words, title: words });

/** A message from Slack with unparsed blocks and files, and the lookups for names and dates. */
interface SlackText {
  text: string;
  blocks?: unknown;
  files?: unknown;
  names: Reading['names'];
  /** Renders a date that has no fallback text. Defaults to UTC. */
  renderDate?: Reading['renderDate'];
}

/**
 * Converts a message to plain text, as people see it. `changes`: sentences about what is different outside Slack.
 * `files`: names of attached files, which stay in Slack. `ownEmoji`: names, without colons, of custom emoji.
 */
export function readSlackText(message: SlackText): {
  text: string;
  changes: string[];
  files: string[];
  ownEmoji: string[];
} {
  const changes = noChanges();
  const reading = { names: message.names, renderDate: message.renderDate ?? renderUtc, changes };
  const files = parseList(file, message.files).map(({ title, name }) => title || name || 'a file');
  const text = readBlocks(message.blocks, reading) ?? readMrkdwn(message.text, reading);
  return {
    text: text.toWellFormed().trim(),
    changes: renderChanges(changes, files),
    files,
    ownEmoji: [...changes.ownEmoji],
  };
}

/** Undefined if there is no rich text block: then the text of the message is complete. */
function readBlocks(value: unknown, reading: Reading): string | undefined {
  const blocks = parseList(block, value);
  if (!blocks.some(({ type }) => type === 'rich_text')) return undefined;
  return blocks
    .map(({ type, elements = [], text }) => {
      if (type === 'rich_text') return readRichText(elements, reading);
      if (text) return text.type === 'mrkdwn' ? readMrkdwn(text.text, reading) : text.text;
      if (type !== 'divider') reading.changes.unreadable = true;
      return '';
    })
    .filter((part) => part !== '')
    .join('\n');
}

function parseList<T>(shape: z.ZodType<T>, value: unknown): T[] {
  return (Array.isArray(value) ? value : []).flatMap((entry) => {
    const read = shape.safeParse(entry);
    return read.success ? [read.data] : [];
  });
}

/** "2026-11-20 09:30 UTC". */
function renderUtc(at: Date): string {
  return `${at.toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}
