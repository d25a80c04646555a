import { sanitizeLine } from '../../slack/escape.ts';
import { repeatedTimes } from '../../when/when.ts';

/** The parsed `/upnext digest …`. `words`: the remaining words, with the days, time, zone and project. */
export type DigestCommand =
  | { kind: 'list' }
  | { kind: 'new' }
  | { kind: 'set'; isMine: boolean; isWeekly: boolean; words: string };

const LIST = /^(?:list|all|show|status)?$/i;
const NEW = /^(?:new|add|create|set ?up|form)$/i;
const MINE = /(?:^|\s)(?:(?:for|to)\s+me|me|dm|myself|private(?:ly)?)(?=\s|$)/i;
const WEEKLY = /(?:^|\s)weekly(?:\s+on)?(?=\s|$)/i;
/** Words that don't matter, so that only the schedule and the project remain. */
const FILLERS = /^(?:(?:here|set|post|please)\s+)+|\s+here$/gi;

/** "weekdays 8:30 in Europe/Berlin for Harbour Coffee", "me weekly monday 9:00", "list", "new". */
export function parseDigestCommand(words: string): DigestCommand {
  const plain = normalizeSpaces(words);
  if (LIST.test(plain)) return { kind: 'list' };
  if (NEW.test(plain)) return { kind: 'new' };
  const isMine = MINE.test(plain);
  const isWeekly = WEEKLY.test(plain);
  const rest = plain.replace(MINE, ' ').replace(WEEKLY, ' ').replace(FILLERS, '');
  return { kind: 'set', isMine, isWeekly, words: normalizeSpaces(rest) };
}

/** Joins lines, and collapses blanks. */
export function normalizeSpaces(words: string): string {
  return sanitizeLine(words).replace(/\s+/g, ' ').trim();
}

/** A time of day, or why the text isn't one (plain text). */
type ParsedTime = { kind: 'time'; hour: number; minute: number } | { kind: 'fault'; fault: string };

const EXAMPLE = 'Write a time such as 8:30, 17:00 or 5pm.';
const MAX_TIME_LENGTH = 40;

/** Parses "8:30", "5pm" or "noon". An ambiguous time is a fault that names both candidates. */
export function parseTime(words: string, locale = 'en-US'): ParsedTime {
  if (words.trim() === '' || words.length > MAX_TIME_LENGTH) return { kind: 'fault', fault: EXAMPLE };
  const read = repeatedTimes(words, locale);
  if (read.kind !== 'times') return { kind: 'fault', fault: EXAMPLE };
  const [first, other] = read.minutes;
  if (first === undefined) return { kind: 'fault', fault: EXAMPLE };
  if (other !== undefined)
    return { kind: 'fault', fault: `${clockText(first)} or ${clockText(other)}? Write it like that.` };
  return { kind: 'time', hour: Math.floor(first / 60), minute: first % 60 };
}

/** "08:30", from minutes since midnight. */
function clockText(minutes: number): string {
  return timeText({ hour: Math.floor(minutes / 60), minute: minutes % 60 });
}

/** "08:30". */
export function timeText({ hour, minute }: { hour: number; minute: number }): string {
  return `${String(hour).padStart(2, '0')}:${String(minute).padStart(2, '0')}`;
}
