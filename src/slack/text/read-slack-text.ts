import { z } from 'zod';
import { createChanges, renderChanges } from './changes.ts';
import type { ReadingContext } from './plain-names.ts';
import { readMrkdwn } from './read-mrkdwn.ts';
import { readRichText } from './read-rich-text.ts';

const optionalText = z.string().optional().catch(undefined);
const block = z.object({
  type: z.string(),
  elements: z.array(z.unknown()).optional().catch(undefined),
  text: z.object({ type: z.string(), text: z.string() }).optional().catch(undefined),
});
const file = z.object({ name: optionalText, title: optionalText });

/** A message from Slack with unparsed blocks and files, and lookups for names and dates. */
interface SlackText {
  text: string;
  blocks?: unknown;
  files?: unknown;
  findName: ReadingContext['findName'];
  /** Renders a date that has no fallback text. Defaults to UTC. */
  renderDate?: ReadingContext['renderDate'];
}

/**
 * Converts a message to plain text, as people see it. In the result, `changes` are sentences about differences from the
 * message in Slack, `files` are the names of the attached files, which stay in Slack, and `customEmoji` are the names
 * of custom emoji, without colons.
 */
export function readSlackText(message: SlackText): {
  text: string;
  changes: string[];
  files: string[];
  customEmoji: string[];
} {
  const changes = createChanges();
  const reading = { findName: message.findName, renderDate: message.renderDate ?? renderUtc, changes };
  const files = parseList(file, message.files).map(({ title, name }) => title || name || 'a file');
  const text = readBlocks(message.blocks, reading) ?? readMrkdwn(message.text, reading);
  return {
    text: text.toWellFormed().trim(),
    changes: renderChanges(changes, files),
    files,
    customEmoji: [...changes.customEmoji],
  };
}

/** Reads the blocks. Undefined if there is no rich text block, because then the message's `text` is complete. */
function readBlocks(value: unknown, reading: ReadingContext): string | undefined {
  const blocks = parseList(block, value);
  if (!blocks.some(({ type }) => type === 'rich_text')) return undefined;
  return blocks
    .map(({ type, elements = [], text }) => {
      if (type === 'rich_text') return readRichText(elements, reading);
      if (text) return text.type === 'mrkdwn' ? readMrkdwn(text.text, reading) : text.text;
      if (type !== 'divider') reading.changes.hasUnreadablePart = true;
      return '';
    })
    .filter((part) => part !== '')
    .join('\n');
}

function parseList<T>(shape: z.ZodType<T>, value: unknown): T[] {
  return (Array.isArray(value) ? value : []).flatMap((entry) => {
    const result = shape.safeParse(entry);
    return result.success ? [result.data] : [];
  });
}

/** Renders a date as "2026-11-20 09:30 UTC". */
function renderUtc(date: Date): string {
  return `${date.toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}
