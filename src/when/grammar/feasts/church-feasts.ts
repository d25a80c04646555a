import { DateTime } from 'luxon';
import { easterSunday } from '../easter.ts';
import { daysAfter, type InYear } from './in-year.ts';

const afterEaster = (days: number): InYear => daysAfter(days, easterSunday);

/** The nth Sunday of Advent: the fourth is the last one before Christmas Day. */
const advent =
  (nth: number): InYear =>
  (year) =>
    DateTime.utc(year, 12, 25)
      .startOf('week')
      .minus({ days: 1, weeks: 4 - nth });

/** Feasts of the Western churches' calendar that move: counted from Easter, or back from Christmas. */
export const CHURCH_FEASTS = {
  fatThursday: afterEaster(-52),
  carnivalSunday: afterEaster(-49),
  roseMonday: afterEaster(-48),
  shroveTuesday: afterEaster(-47),
  ashWednesday: afterEaster(-46),
  palmSunday: afterEaster(-7),
  maundyThursday: afterEaster(-3),
  goodFriday: afterEaster(-2),
  holySaturday: afterEaster(-1),
  easter: easterSunday,
  easterMonday: afterEaster(1),
  ascension: afterEaster(39),
  whitSunday: afterEaster(49),
  whitMonday: afterEaster(50),
  trinitySunday: afterEaster(56),
  corpusChristi: afterEaster(60),
  firstAdvent: advent(1),
  secondAdvent: advent(2),
  thirdAdvent: advent(3),
  fourthAdvent: advent(4),
} as const satisfies Readonly<Record<string, InYear>>;
