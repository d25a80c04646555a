import type { PartOfDay } from '../grammar/marks.ts';
import type { Spoken, SpokenTime } from '../spoken.ts';

const NOON = 12 * 60;
const DAY = 24 * 60;

/**
 * The minutes of the day that a spoken time can mean, the likeliest first; 1440 and more are of the night that
 * follows. "At 5" is in the afternoon, "at 9" in the morning, and the other is offered too; a part of the day,
 * or am and pm, settle it.
 */
export function possibleTimes(time: SpokenTime, { part, isToday, day }: Spoken): readonly number[] {
  const minute = time.hour * 60 + time.minute;
  if (time.isMidnight) return midnights(isToday || part === 'night', day !== undefined);
  const early = minute % NOON;
  if (time.halves !== 'settled' && part !== undefined) return timesOfPart(early, part, isToday);
  if (time.halves !== 'open') return [minute];
  if (time.hour === 12) return [NOON + early];
  return time.hour < 7 ? [early + NOON, early] : [early, early + NOON];
}

/** "Friday midnight" may be the end or the beginning of Friday. */
function midnights(isEndOfDay: boolean, hasDay: boolean): readonly number[] {
  if (isEndOfDay) return [DAY];
  return hasDay ? [DAY, 0] : [0];
}

function timesOfPart(early: number, part: PartOfDay, isToday: boolean): readonly number[] {
  const isTwelve = early < 60;
  if (part.endsWith('morning')) return isTwelve ? [NOON + early, early] : [early];
  if (part.endsWith('afternoon')) return [early + NOON];
  if (isTwelve) return [DAY + early];
  const isSmallHour = part.endsWith('night') && early < 4 * 60;
  if (!isSmallHour) return [early + NOON];
  return isToday ? [DAY + early] : [DAY + early, early];
}
