import type { DateTime } from 'luxon';
import { PARTS_OF_DAY, type PartOfDay } from '../grammar/piece.ts';

/** When a day is named without a time. */
const DEFAULT_HOUR = 9;

/** Parts of the day end with these hours: the last that still is "this morning" is eleven. */
const LAST_HOURS: Readonly<Partial<Record<PartOfDay, number>>> = {
  morning: 11,
  afternoon: 17,
  evening: 21,
  night: 23,
};

/**
 * The minute of the day for a day without a time: 09:00, or the hour that stands for the part of the day.
 * When it is over on that very day, the next full hour that is still of the same part; else 09:00 all the same.
 */
function defaultMinute(day: DateTime, part: PartOfDay | undefined, now: DateTime): number {
  const usual = part === undefined ? DEFAULT_HOUR : PARTS_OF_DAY[part];
  if (now.hour < usual || +day !== +now.startOf('day')) return usual * 60;
  const last = part === undefined ? 23 : (LAST_HOURS[part] ?? usual);
  const next = now.hour + 1;
  return (next <= last ? next : usual) * 60;
}

/** The other minute that a part of the day can mean. */
const OTHER_MINUTES: Readonly<Partial<Record<PartOfDay, number>>> = {
  'dead-of-night': 24 * 60,
  late: PARTS_OF_DAY['late-evening'] * 60,
};

/** The minutes of the day for a day without a time, the likelier first. */
export function defaultMinutes(
  day: DateTime,
  part: PartOfDay | undefined,
  now: DateTime,
): readonly [number, ...number[]] {
  const minute = defaultMinute(day, part, now);
  const other = part === undefined ? undefined : OTHER_MINUTES[part];
  return other === undefined ? [minute] : [minute, other];
}

/** "09:00" for 540. */
export function sayMinute(minute: number): string {
  const ofDay = minute % 1440;
  return `${String(Math.floor(ofDay / 60)).padStart(2, '0')}:${String(ofDay % 60).padStart(2, '0')}`;
}
