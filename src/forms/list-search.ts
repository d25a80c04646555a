import { z } from 'zod';
import { buildButtonRow, clip, escapeText, plainSection, sanitizeLine } from '../slack/blocks.ts';
import { buildStateButton } from '../slack/list-pages.ts';
import type { Message } from '../slack/message.ts';
import { findRange, type Range, renderRange } from '../when/range.ts';

/**
 * A search in a list: words, and the first and the last instant of its days, both inclusive, in ms since the epoch. Days
 * are stored as times, so that "last 24 hours" means the same range on every page.
 */
export const listSearch = z.object({
  words: z.string(),
  from: z.number().optional(),
  to: z.number().optional(),
});
export type ListSearch = z.infer<typeof listSearch>;

type StoredDays = Pick<ListSearch, 'from' | 'to'>;

export function storeDays({ from, to }: Range): StoredDays {
  return { ...(from && { from: from.getTime() }), ...(to && { to: to.getTime() }) };
}

export function readDays({ from, to }: StoredDays, zone: string): Range {
  return {
    zone,
    ...(from !== undefined && { from: new Date(from) }),
    ...(to !== undefined && { to: new Date(to) }),
  };
}

/** A parsed search. 'ambiguous': the days in `phrase` can mean several ranges. */
type ParsedSearch =
  | { kind: 'parsed'; search: ListSearch }
  | { kind: 'too-long'; reason: string }
  | { kind: 'ambiguous'; phrase: string; candidates: readonly { label: string; search: ListSearch }[] };

/** Parses "errors last week" into search words and a range of days. Pure. */
export function parseListSearch(
  text: string,
  { now, zone, locale }: { now: Date; zone: string; locale?: string | undefined },
): ParsedSearch {
  const foundRange = findRange({ text, now, zone, ...(locale !== undefined && { locale }) });
  if (!foundRange) return { kind: 'parsed', search: { words: text.trim() } };
  // `findRange` ignores words that aren't days. 'not-understood' means that the text is too long to parse.
  if (foundRange.kind === 'not-understood') return { kind: 'too-long', reason: foundRange.reason };
  const { reading, rest, phrase } = foundRange;
  const toSearch = (range: Range) => ({ words: rest.trim(), ...storeDays(range) });
  if (reading.kind === 'understood') return { kind: 'parsed', search: toSearch(reading.range) };
  const candidates = reading.candidates.map(({ range, text: label }) => ({ label, search: toSearch(range) }));
  return { kind: 'ambiguous', phrase, candidates };
}

const MAX_QUOTE_LENGTH = 100;

/** Renders a search as plain text: "", or " with “roast”, Mon 16 Nov to Sun 22 Nov (Berlin)". */
export function renderListSearch(
  { words, ...days }: ListSearch,
  reader: { now: Date; zone: string },
): string {
  const wordsText = words === '' ? '' : ` with “${clip(sanitizeLine(words), MAX_QUOTE_LENGTH)}”`;
  const hasDays = days.from !== undefined || days.to !== undefined;
  return `${wordsText}${hasDays ? `, ${renderRange(readDays(days, reader.zone), reader)}` : ''}`;
}

/** Asks which candidate of ambiguous days is meant, with a button for each. `prefix` begins their action ids. */
export function renderDaysQuestion(
  prefix: string,
  phrase: string,
  candidates: readonly { label: string; state: object }[],
): Message {
  const line = `Which days do you mean by “${clip(sanitizeLine(phrase), MAX_QUOTE_LENGTH)}”?`;
  const buttons = candidates.flatMap(({ label, state }, index) =>
    buildStateButton(label, `${prefix}.range.${index}`, state),
  );
  return {
    text: escapeText(`${line} ${candidates.map(({ label }) => label).join(', or ')}`),
    blocks: [plainSection(line), ...buildButtonRow(buttons)],
  };
}
