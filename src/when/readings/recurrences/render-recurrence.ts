import { sayMinute } from '../../policy/default-times.ts';
import { zoneName } from '../../zones.ts';
import type { Recurrence } from './recurrence.ts';

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
