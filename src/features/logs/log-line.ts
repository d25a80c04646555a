import type { LogEntry } from '../../api/logs.ts';
import { tame } from '../../slack/escape.ts';
import { sayMoment } from '../../when/when.ts';

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
    .map((part) => tame(part ?? ''))
    .filter((part) => part !== '')
    .join(' · ');
}

/** The zone stands above all lines. Where the clock shows a time twice, the offset stays. */
function withoutPlace(said: string): string {
  return said.replace(/ \([^(),]*\)$/, '');
}
