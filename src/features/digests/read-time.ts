import { repeatedTimes } from '../../when/when.ts';

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
