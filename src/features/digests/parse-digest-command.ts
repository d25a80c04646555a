import { sanitizeLine } from '../../slack/escape.ts';
import { repeatedTimes } from '../../when/when.ts';

/** A parsed `/upnext digest …`. `text` contains the days, time, zone and project. */
export type DigestCommand =
  | { kind: 'list' }
  | { kind: 'new' }
  | { kind: 'set'; isMine: boolean; isWeekly: boolean; text: string };

const LIST = /^(?:list|all|show|status)?$/i;
const NEW = /^(?:new|add|create|set ?up|form)$/i;
const MINE = /(?:^|\s)(?:(?:for|to)\s+me|me|dm|myself|private(?:ly)?)(?=\s|$)/i;
const WEEKLY = /(?:^|\s)weekly(?:\s+on)?(?=\s|$)/i;
/** Filler words, which are removed before the schedule and the project are parsed. */
const FILLERS = /^(?:(?:here|set|post|please)\s+)+|\s+here$/gi;

/** Parses "weekdays 8:30 in Europe/Berlin for Harbour Coffee", "me weekly monday 9:00", "list", "new". */
export function parseDigestCommand(args: string): DigestCommand {
  const plain = normalizeSpaces(args);
  if (LIST.test(plain)) return { kind: 'list' };
  if (NEW.test(plain)) return { kind: 'new' };
  const isMine = MINE.test(plain);
  const isWeekly = WEEKLY.test(plain);
  const text = plain.replace(MINE, ' ').replace(WEEKLY, ' ').replace(FILLERS, '');
  return { kind: 'set', isMine, isWeekly, text: normalizeSpaces(text) };
}

/** Joins lines and collapses white space. */
export function normalizeSpaces(text: string): string {
  return sanitizeLine(text).replace(/\s+/g, ' ').trim();
}

/** A time of day, or a message that says why the text isn't a time of day (plain text). */
type ParsedTime = { kind: 'time'; hour: number; minute: number } | { kind: 'fault'; fault: string };

const EXAMPLE = 'Write a time such as 8:30, 17:00 or 5pm.';
const MAX_TIME_LENGTH = 40;

/** Parses "8:30", "5pm" or "noon". An ambiguous time is a fault that names both candidates. */
export function parseTime(text: string, locale = 'en-US'): ParsedTime {
  if (text.trim() === '' || text.length > MAX_TIME_LENGTH) return { kind: 'fault', fault: EXAMPLE };
  const result = repeatedTimes(text, locale);
  if (result.kind !== 'times') return { kind: 'fault', fault: EXAMPLE };
  const [minutes, alternative] = result.minutes;
  if (minutes === undefined) return { kind: 'fault', fault: EXAMPLE };
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
