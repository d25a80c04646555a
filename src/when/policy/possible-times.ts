import type { PartOfDay } from '../grammar/marks.ts';
import type { Spoken, SpokenTime } from '../spoken.ts';

const NOON = 12 * 60;
const DAY = 24 * 60;

/** "Half past 11 at midday" is before noon, and "1 at midday" after it. */
const FIRST_OF_MIDDAY = 10 * 60;

/** Until then it is still the night before to people, though the date is the next. */
const END_OF_NIGHT = 6 * 60;

/**
 * The minutes of the day that a spoken time can mean, the likeliest first; 1440 and more are of the night that
 * follows. "At 5" is in the afternoon, "at 9" in the morning, and the other is offered too; a part of the day,
 * or am and pm, settle it, and where these two contradict each other, both are offered.
 */
export function possibleTimes(time: SpokenTime, { part, isToday, day }: Spoken): readonly number[] {
  const minute = time.hour * 60 + time.minute;
  if (time.isMidnight) return midnights(isToday || part === 'night', day !== undefined);
  const early = minute % NOON;
  if (part !== undefined) {
    const ofPart = timesOfPart(early, part, isToday);
    return time.halves === 'settled' ? settledBeside(ofPart, minute, part) : ofPart;
  }
  if (time.halves !== 'open') return [minute];
  if (time.hour === 12) return [NOON + early];
  return time.hour < 7 ? [early + NOON, early] : [early, early + NOON];
}

/** "Friday midnight" may be the end or the beginning of Friday. */
function midnights(isEndOfDay: boolean, hasDay: boolean): readonly number[] {
  if (isEndOfDay) return [DAY];
  return hasDay ? [DAY, 0] : [0];
}

/** A time that needs no part of the day, beside one: "friday night 1am" is on Saturday, or else on Friday. */
function settledBeside(ofPart: readonly number[], minute: number, part: PartOfDay): readonly number[] {
  if (part.endsWith('night') && minute < END_OF_NIGHT) return [DAY + minute, minute];
  return ofPart.includes(minute) ? [minute] : [minute, ...ofPart];
}

function timesOfPart(early: number, part: PartOfDay, isToday: boolean): readonly number[] {
  const isTwelve = early < 60;
  if (part.endsWith('morning') || part === 'breakfast') return isTwelve ? [NOON + early, early] : [early];
  if (part === 'midday') return [early < FIRST_OF_MIDDAY ? early + NOON : early];
  if (part.endsWith('afternoon')) return [early + NOON];
  if (isTwelve) return [DAY + early];
  const isSmallHour = part.endsWith('night') && early < 4 * 60;
  if (!isSmallHour) return [early + NOON];
  return isToday ? [DAY + early] : [DAY + early, early];
}
