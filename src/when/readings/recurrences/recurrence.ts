import type { NotUnderstood } from '../../moment.ts';
import { sayMinute } from '../../policy/default-times.ts';
import { zoneName } from '../../zones.ts';

/** Days of the week at one time. `zone` is the IANA name that the words gave; without it they gave none. */
export interface Recurrence {
  /** ISO weekdays, 1 is Monday and 7 Sunday; in order, each once. */
  days: readonly number[];
  time: { hour: number; minute: number };
  zone?: string;
}

/** `notes` tell people what was assumed. The likeliest candidate is first. */
export type RecurrenceReading =
  | { kind: 'understood'; recurrence: Recurrence; notes: readonly string[] }
  | { kind: 'ambiguous'; candidates: readonly Recurrence[]; notes: readonly string[] }
  | NotUnderstood;

const SHORT = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'];
const LONG = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'];

const GROUPS: Readonly<Record<string, string>> = {
  '12345': 'weekdays',
  '67': 'weekends',
  '1234567': 'every day',
};

/**
 * "weekdays at 08:30 (Berlin)", "every Monday at 09:00", "Mon, Wed and Fri at 10:00": words that
 * understandRecurrence reads as the same.
 */
export function renderRecurrence({ days, time, zone }: Recurrence): string {
  const place = zone === undefined ? '' : ` (${zoneName(zone)})`;
  return `${sayDays(days)} at ${sayMinute(time.hour * 60 + time.minute)}${place}`;
}

function sayDays(days: readonly number[]): string {
  const group = GROUPS[days.join('')];
  if (group !== undefined) return group;
  const [only] = days;
  if (only !== undefined && days.length === 1) return `every ${LONG[only - 1]}`;
  const names = days.map((day) => SHORT[day - 1]);
  return `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;
}
