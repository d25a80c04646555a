import type { LogEntry } from '../../api/logs.ts';
import { formatCsv } from '../../slack/csv.ts';
import { sanitizeLine } from '../../slack/escape.ts';
import { findRange, type Range, sayMoment } from '../../when/when.ts';

/** Which lines are wanted: words that each holds, and a stretch of time. Both ends belong to it, ms since the epoch. */
export interface LogFilter {
  words: string;
  from?: number | undefined;
  to?: number | undefined;
}

/** Newest first; lines without a moment come after all others, as the service listed them. */
export function inOrder(entries: readonly LogEntry[]): readonly LogEntry[] {
  return entries.toSorted((one, other) => millis(other) - millis(one));
}

function millis({ at }: LogEntry): number {
  return at?.getTime() ?? Number.MIN_SAFE_INTEGER;
}

/** The lines that match. Within a stretch of time, lines without a readable date are left out. */
export function filtered(
  entries: readonly LogEntry[],
  { words, from, to }: LogFilter,
): { items: readonly LogEntry[]; undated: number; datesUnread: number } {
  const wanted = comparable(words).split(' ').filter(Boolean);
  const holding = entries.filter((entry) => {
    const { id = '', kind = '', who = '', message, details = '' } = entry;
    const held = comparable([id, kind, who, message, details].join(' '));
    return wanted.every((word) => held.includes(word));
  });
  if (from === undefined && to === undefined) return { items: holding, undated: 0, datesUnread: 0 };
  const dated = holding.filter(({ at }) => at !== undefined);
  const items = dated.filter(
    (entry) => millis(entry) >= (from ?? -Infinity) && millis(entry) <= (to ?? Infinity),
  );
  const datesUnread = holding.filter(({ isDateUnread }) => isDateUnread).length;
  return { items, undated: holding.length - dated.length - datesUnread, datesUnread };
}

function comparable(words: string): string {
  return words
    .normalize('NFKC')
    .replace(/["“”„«»]/g, '')
    .replace(/\s+/g, ' ')
    .trim()
    .toLowerCase();
}

/** "Fri 20 Nov, 13:00 · post.created · post_7 was created. · Ana": one line, in the reader's zone. Plain text. */
export function logLine({ at, isDateUnread, kind, who, message }: LogEntry, zone: string, now: Date): string {
  const none = isDateUnread ? 'date not read' : 'no date';
  const moment = at === undefined ? none : withoutPlace(sayMoment({ instant: at, zone }, { now }));
  return [moment, kind, message, who]
    .map((part) => sanitizeLine(part ?? ''))
    .filter((part) => part !== '')
    .join(' · ');
}

/** The zone stands above all lines. Where the clock shows a time twice, the offset stays. */
function withoutPlace(said: string): string {
  return said.replace(/ \([^(),]*\)$/, '');
}

const HEAD = ['Time (UTC)', 'Event', 'Who', 'Message', 'Details', 'Id'];

/** What the service listed, a line for each. */
export function logsAsCsv(entries: readonly LogEntry[]): string {
  const rows = entries.map(({ at, kind, who, message, details, id }) => [
    at?.toISOString() ?? '',
    kind ?? '',
    who ?? '',
    message,
    details ?? '',
    id ?? '',
  ]);
  return formatCsv([HEAD, ...rows]);
}

/** What the words say of days, and the words that are left for a search. */
type LogWords =
  | { kind: 'read'; words: string; range?: Range }
  | { kind: 'too-long'; reason: string }
  | { kind: 'ask'; words: string; asked: string; candidates: readonly { range: Range; said: string }[] };

/** "errors last week" is a stretch of time and a word to look for. Pure. */
export function readLogWords(
  text: string,
  reader: { now: Date; zone: string; locale?: string | undefined },
): LogWords {
  const { now, zone, locale } = reader;
  const found = findRange({ text, now, zone, ...(locale !== undefined && { locale }) });
  if (!found) return { kind: 'read', words: text.trim() };
  if (found.kind === 'not-understood') return { kind: 'too-long', reason: found.reason };
  const { reading, rest } = found;
  const words = rest.trim();
  if (reading.kind === 'understood') return { kind: 'read', words, range: reading.range };
  return { kind: 'ask', words, asked: found.words, candidates: reading.candidates };
}
