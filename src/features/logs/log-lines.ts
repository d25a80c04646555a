import type { LogEntry } from '../../api/logs.ts';
import { formatCsv } from '../../slack/csv.ts';
import { sanitizeLine } from '../../slack/escape.ts';
import { findRange, type Range, sayMoment } from '../../when/when.ts';

/** Selects lines that contain all the words, within a time range. Ms since the epoch, both ends inclusive. */
export interface LogFilter {
  words: string;
  from?: number | undefined;
  to?: number | undefined;
}

/** Newest first. Lines without a date come last, in the service's order. */
export function sortNewestFirst(entries: readonly LogEntry[]): readonly LogEntry[] {
  return entries.toSorted((one, other) => timeOf(other) - timeOf(one));
}

function timeOf({ at }: LogEntry): number {
  return at?.getTime() ?? Number.MIN_SAFE_INTEGER;
}

/**
 * The matching lines. A filter with a time range leaves out lines without a date (`undated`) and with an unreadable date
 * (`unreadableDates`).
 */
export function filterLog(
  entries: readonly LogEntry[],
  { words, from, to }: LogFilter,
): { items: readonly LogEntry[]; undated: number; unreadableDates: number } {
  const searched = normalizeForSearch(words).split(' ').filter(Boolean);
  const matching = entries.filter((entry) => {
    const { id = '', kind = '', actor = '', message, details = '' } = entry;
    const text = normalizeForSearch([id, kind, actor, message, details].join(' '));
    return searched.every((word) => text.includes(word));
  });
  if (from === undefined && to === undefined) return { items: matching, undated: 0, unreadableDates: 0 };
  const dated = matching.filter(({ at }) => at !== undefined);
  const items = dated.filter(
    (entry) => timeOf(entry) >= (from ?? -Infinity) && timeOf(entry) <= (to ?? Infinity),
  );
  const unreadableDates = matching.filter(({ hasUnparsedDate }) => hasUnparsedDate).length;
  return { items, undated: matching.length - dated.length - unreadableDates, unreadableDates };
}

function normalizeForSearch(words: string): string {
  return words
    .normalize('NFKC')
    .replace(/["“”„«»]/g, '')
    .replace(/\s+/g, ' ')
    .trim()
    .toLowerCase();
}

/** "Fri 20 Nov, 13:00 · post.created · post_7 was created. · Ana": one line, in the reader's zone. Plain text. */
export function logLine(
  { at, hasUnparsedDate, kind, actor, message }: LogEntry,
  zone: string,
  now: Date,
): string {
  const none = hasUnparsedDate ? 'date not read' : 'no date';
  const moment = at === undefined ? none : stripZoneName(sayMoment({ instant: at, zone }, { now }));
  return [moment, kind, message, actor]
    .map((part) => sanitizeLine(part ?? ''))
    .filter((part) => part !== '')
    .join(' · ');
}

/** The list's title names the zone. The offset of a repeated hour stays, because it tells the two apart. */
function stripZoneName(moment: string): string {
  return moment.replace(/ \([^(),]*\)$/, '');
}

const CSV_HEADER = ['Time (UTC)', 'Event', 'Who', 'Message', 'Details', 'Id'];

/** One row for each line of the log. */
export function formatLogCsv(entries: readonly LogEntry[]): string {
  const rows = entries.map(({ at, kind, actor, message, details, id }) => [
    at?.toISOString() ?? '',
    kind ?? '',
    actor ?? '',
    message,
    details ?? '',
    id ?? '',
  ]);
  return formatCsv([CSV_HEADER, ...rows]);
}

/** A range of days and the remaining search words; `ask` has an ambiguous range, `phrase` its words. */
type LogSearch =
  | { kind: 'read'; words: string; range?: Range }
  | { kind: 'too-long'; reason: string }
  | { kind: 'ask'; words: string; phrase: string; candidates: readonly { range: Range; said: string }[] };

/** Splits "errors last week" into a range of days and a search word. Pure. */
export function parseLogSearch(
  text: string,
  reader: { now: Date; zone: string; locale?: string | undefined },
): LogSearch {
  const { now, zone, locale } = reader;
  const found = findRange({ text, now, zone, ...(locale !== undefined && { locale }) });
  if (!found) return { kind: 'read', words: text.trim() };
  if (found.kind === 'not-understood') return { kind: 'too-long', reason: found.reason };
  const { reading, rest } = found;
  const words = rest.trim();
  if (reading.kind === 'understood') return { kind: 'read', words, range: reading.range };
  return { kind: 'ask', words, phrase: found.words, candidates: reading.candidates };
}
