import type { Spoken } from '../spoken.ts';

/** True for a time of the day, or a part of it, without a day and without anything counted. */
export function saysTimeOnly(spoken: Spoken): boolean {
  const { time, part, day, isToday, isSameTime, beside, after, orAfter, plus, pastHour } = spoken;
  const isCounted = [beside, after, orAfter, plus, pastHour].some((each) => each !== undefined);
  return (time ?? part) !== undefined && day === undefined && !isToday && !isSameTime && !isCounted;
}
