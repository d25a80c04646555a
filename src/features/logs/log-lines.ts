import type { LogEntry } from '../../api/logs.ts';
import type { ListSearch } from '../../forms/list-search.ts';
import { containsWords } from '../../posts/normalize-name.ts';
import { sanitizeLine } from '../../slack/blocks.ts';
import { formatCsv } from '../../slack/csv.ts';
import { renderNameInWords } from '../../slack/name-in-words.ts';
import { formatMoment } from '../../when/when.ts';

/** Sorts lines, newest first. Lines without a date come last, in the service's order. */
export function sortNewestFirst(entries: readonly LogEntry[]): readonly LogEntry[] {
  return entries.toSorted((first, second) => getTime(second) - getTime(first));
}

function getTime({ at }: LogEntry): number {
  return at?.getTime() ?? Number.MIN_SAFE_INTEGER;
}

/**
 * Returns the lines that match a filter. If the filter has a range, leaves out lines without a date or with an
 * unreadable date, and counts them.
 */
export function filterLog(
  entries: readonly LogEntry[],
  { words, from, to }: ListSearch,
): { items: readonly LogEntry[]; undatedCount: number; unreadableDateCount: number } {
  const matchingEntries = entries.filter(({ id = '', kind = '', actor = '', message, details = '' }) =>
    containsWords([id, kind, actor, message, details].join(' '), words),
  );
  if (from === undefined && to === undefined)
    return { items: matchingEntries, undatedCount: 0, unreadableDateCount: 0 };
  const datedEntries = matchingEntries.filter(({ at }) => at !== undefined);
  const items = datedEntries.filter(
    (entry) => getTime(entry) >= (from ?? -Infinity) && getTime(entry) <= (to ?? Infinity),
  );
  const unreadableDateCount = matchingEntries.filter(({ hasUnparsedDate }) => hasUnparsedDate).length;
  const undatedCount = matchingEntries.length - datedEntries.length - unreadableDateCount;
  return { items, undatedCount, unreadableDateCount };
}

/**
 * Renders "Fri 20 Nov, 13:00 · A post was created. · Ana", in the reader's zone. Plain text, without ids. Omits the
 * kind of event if the message says the same.
 */
export function renderLogLine(
  { at, hasUnparsedDate, kind, actor, message }: LogEntry,
  zone: string,
  now: Date,
): string {
  const missingDate = hasUnparsedDate ? 'unreadable date' : 'no date';
  const moment = at === undefined ? missingDate : stripZoneName(formatMoment({ instant: at, zone }, { now }));
  const text = renderWithoutIds(message);
  const event = kind === undefined ? '' : renderNameInWords(kind);
  const isRepeated = event.split(' ').every((word) => text.toLowerCase().includes(word.toLowerCase()));
  const isId = actor !== undefined && renderWithoutIds(actor) !== actor;
  return [moment, isRepeated ? '' : event, text, isId ? '' : (actor ?? '')]
    .map((part) => sanitizeLine(part))
    .filter((part) => part !== '')
    .join(' · ');
}

/** Ids of records: those of the practice service, such as post_7, UUIDs, and ids of 24 hexadecimal digits. */
const RECORD_ID =
  /\b(?:(project|post|prompt|source|template|user|log)_\w+|[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}|[\da-f]{24})\b/gi;

/** Renders "post_7 was created as DRAFT." as "A post was created as draft.". The CSV file has the ids. */
function renderWithoutIds(text: string): string {
  return text
    .replace(RECORD_ID, (_id, noun?: string) => (noun === undefined ? '…' : `a ${noun}`))
    .replace(/^a (?=\w)/, 'A ')
    .replace(/(?<=\b(?:as|now|and) )[A-Z]{4,}\b/g, (value) => value.toLowerCase());
}

/**
 * Removes the zone, because the title of the list names it. An ambiguous time (when clocks go back) keeps its zone and
 * UTC offset.
 */
function stripZoneName(moment: string): string {
  return moment.replace(/ \([^(),]*\)$/, '');
}

const CSV_HEADER = ['Time (UTC)', 'Event', 'Who', 'Message', 'Details', 'Id'];

/** Formats log lines as CSV, one row for each line. */
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
