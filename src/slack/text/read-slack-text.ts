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

/** A message of Slack's, its parts as they came, and what it needs to be read: names, and words for moments. */
interface SlackText {
  text: string;
  blocks?: unknown;
  files?: unknown;
  names: Reading['names'];
  /** For a date that came without words; without it UTC is written. */
  renderDate?: Reading['renderDate'];
}

/**
 * What people see of a message, without Slack's markup. `changes` says in sentences what is different outside of
 * Slack, `files` names what cannot go along, `ownEmoji` the codes (no colons) that only the workspace can show.
 */
export function readSlackText(message: SlackText): {
  text: string;
  changes: string[];
  files: string[];
  ownEmoji: string[];
} {
  const changes = noChanges();
  const reading = { names: message.names, renderDate: message.renderDate ?? utcWords, changes };
  const files = listOf(file, message.files).map(({ title, name }) => title || name || 'a file');
  const text = readBlocks(message.blocks, reading) ?? readMrkdwn(message.text, reading);
  return {
    text: text.toWellFormed().trim(),
    changes: renderChanges(changes, files),
    files,
    ownEmoji: [...changes.ownEmoji],
  };
}

/** Undefined where no block is rich text: then the message's text says all of it. */
function readBlocks(value: unknown, reading: Reading): string | undefined {
  const blocks = listOf(block, value);
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

function listOf<T>(shape: z.ZodType<T>, value: unknown): T[] {
  return (Array.isArray(value) ? value : []).flatMap((entry) => {
    const read = shape.safeParse(entry);
    return read.success ? [read.data] : [];
  });
}

/** "2026-11-20 09:30 UTC". */
function utcWords(at: Date): string {
  return `${at.toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}
