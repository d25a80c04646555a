import { sanitizeLine } from '../../slack/blocks.ts';
import { repeatedTimes } from '../../when/recurrence.ts';

/** The parsed arguments of `/upnext digest`. `text` is the part with the days, time, zone and project. */
export type DigestCommand =
  | { kind: 'list' }
  | { kind: 'new' }
  | { kind: 'now' }
  | { kind: 'set'; isPersonal: boolean; isWeekly: boolean; text: string };

const LIST_PATTERN = /^(?:list|all|show|status)?$/i;
const NEW_PATTERN = /^(?:new|add|create|set ?up|form)$/i;
const NOW_PATTERN = /^(?:send )?now$/i;
const PERSONAL_PATTERN = /(?:^|\s)(?:(?:for|to)\s+me|me|dm|myself|private(?:ly)?)(?=\s|$)/i;
const WEEKLY_PATTERN = /(?:^|\s)weekly(?:\s+on)?(?=\s|$)/i;
/** Filler words, which are removed before the schedule and the project are parsed. */
const FILLER_PATTERN = /^(?:(?:here|set|post|please)\s+)+|\s+here$/gi;

/** Parses "weekdays 8:30 in Europe/Berlin for Harbour Coffee", "me weekly monday 9:00", "list", "new", "now". */
export function parseDigestCommand(args: string): DigestCommand {
  const normalizedArgs = normalizeSpaces(args);
  if (LIST_PATTERN.test(normalizedArgs)) return { kind: 'list' };
  if (NEW_PATTERN.test(normalizedArgs)) return { kind: 'new' };
  if (NOW_PATTERN.test(normalizedArgs)) return { kind: 'now' };
  const isPersonal = PERSONAL_PATTERN.test(normalizedArgs);
  const isWeekly = WEEKLY_PATTERN.test(normalizedArgs);
  const text = normalizedArgs
    .replace(PERSONAL_PATTERN, ' ')
    .replace(WEEKLY_PATTERN, ' ')
    .replace(FILLER_PATTERN, '');
  return { kind: 'set', isPersonal, isWeekly, text: normalizeSpaces(text) };
}

/** Joins lines and collapses white space. */
export function normalizeSpaces(text: string): string {
  return sanitizeLine(text).replace(/\s+/g, ' ').trim();
}

/** A time of day, or the reason why a text isn't one (plain text). */
type ParsedTime = { kind: 'time'; hour: number; minute: number } | { kind: 'fault'; fault: string };

const TIME_FAULT = 'Write a time such as 8:30, 17:00 or 5pm.';
/** Maximum length of a text that is parsed as a time of day. */
export const MAX_TIME_LENGTH = 40;

/** Parses "8:30", "5pm" or "noon". An ambiguous time is a fault that names both candidates. */
export function parseTime(text: string, locale = 'en-US'): ParsedTime {
  if (text.trim() === '' || text.length > MAX_TIME_LENGTH) return { kind: 'fault', fault: TIME_FAULT };
  const result = repeatedTimes(text, locale);
  if (result.kind !== 'times') return { kind: 'fault', fault: TIME_FAULT };
  const [minutes, alternative] = result.minutes;
  if (minutes === undefined) return { kind: 'fault', fault: TIME_FAULT };
  if (alternative !== undefined)
    return {
      kind: 'fault',
      fault: `${formatMinutes(minutes)} or ${formatMinutes(alternative)}? Write it like that.`,
    };
  return { kind: 'time', hour: Math.floor(minutes / 60), minute: minutes % 60 };
}

/** Formats minutes since midnight: "08:30". */
function formatMinutes(minutes: number): string {
  return formatTime({ hour: Math.floor(minutes / 60), minute: minutes % 60 });
}

/** Formats a time of day: "08:30". */
export function formatTime({ hour, minute }: { hour: number; minute: number }): string {
  return `${String(hour).padStart(2, '0')}:${String(minute).padStart(2, '0')}`;
}
