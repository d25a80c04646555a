import { sanitizeLine } from '../../slack/escape.ts';
import { repeatedTimes } from '../../when/when.ts';

/** What `/upnext digest …` asks for, before its days, time, zone and project are looked at. */
export type DigestWords =
  | { kind: 'list' }
  | { kind: 'new' }
  | { kind: 'set'; isMine: boolean; isWeekly: boolean; words: string };

const LIST = /^(?:list|all|show|status)?$/i;
const NEW = /^(?:new|add|create|set ?up|form)$/i;
const MINE = /(?:^|\s)(?:(?:for|to)\s+me|me|dm|myself|private(?:ly)?)(?=\s|$)/i;
const WEEKLY = /(?:^|\s)weekly(?:\s+on)?(?=\s|$)/i;
/** Without them the days alone stand there. */
const FILLERS = /^(?:(?:here|set|post|please)\s+)+|\s+here$/gi;

/** "weekdays 8:30 in Europe/Berlin for Harbour Coffee", "me weekly monday 9:00", "list", "new". */
export function readDigestWords(words: string): DigestWords {
  const plain = tidied(words);
  if (LIST.test(plain)) return { kind: 'list' };
  if (NEW.test(plain)) return { kind: 'new' };
  const isMine = MINE.test(plain);
  const isWeekly = WEEKLY.test(plain);
  const rest = plain.replace(MINE, ' ').replace(WEEKLY, ' ').replace(FILLERS, '');
  return { kind: 'set', isMine, isWeekly, words: tidied(rest) };
}

/** On one line, with single blanks. */
export function tidied(words: string): string {
  return sanitizeLine(words).replace(/\s+/g, ' ').trim();
}

/** A time of the day, or what is wrong with the words (plain text). */
type ReadTime = { kind: 'time'; hour: number; minute: number } | { kind: 'fault'; fault: string };

const EXAMPLE = 'Write a time such as 8:30, 17:00 or 5pm.';
const LONGEST = 40;

/** "8:30", "5pm", "noon"; what can be two times is asked. */
export function readTime(words: string, locale = 'en-US'): ReadTime {
  if (words.trim() === '' || words.length > LONGEST) return { kind: 'fault', fault: EXAMPLE };
  const read = repeatedTimes(words, locale);
  if (read.kind !== 'times') return { kind: 'fault', fault: EXAMPLE };
  const [first, other] = read.minutes;
  if (first === undefined) return { kind: 'fault', fault: EXAMPLE };
  if (other !== undefined)
    return { kind: 'fault', fault: `${clock(first)} or ${clock(other)}? Write it like that.` };
  return { kind: 'time', hour: Math.floor(first / 60), minute: first % 60 };
}

/** "08:30", from minutes of the day. */
function clock(minutes: number): string {
  return timeText({ hour: Math.floor(minutes / 60), minute: minutes % 60 });
}

/** "08:30". */
export function timeText({ hour, minute }: { hour: number; minute: number }): string {
  return `${String(hour).padStart(2, '0')}:${String(minute).padStart(2, '0')}`;
}
