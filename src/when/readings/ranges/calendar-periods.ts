import { alone, perLanguage } from '../words/reading-lexicon.ts';
import type { Period } from '../words/reading-words.ts';
import type { PeriodRule } from './period-rule.ts';
import { type ClosedStretch, type Named, once, type RangeContext, weekStart, wholeDays } from './stretch.ts';

const SATURDAY = 6;

const pattern = perLanguage((lexicon) => alone(lexicon, `(?<period>${lexicon.periods.pattern})`));

/** "this week", "next month", "last quarter", "the weekend", "the rest of the year". */
export const calendarPeriods: PeriodRule = (words, lexicon, context) => {
  const period = lexicon.periods.meaningOf(pattern(lexicon).exec(words)?.groups?.period);
  return period === undefined ? undefined : stretchesOf(period, context);
};

function stretchesOf(period: Period, context: RangeContext): readonly Named[] {
  const { now } = context;
  const stretch = stretchOf(period, context);
  if (period.isRest === true)
    return once({ from: { wall: now.startOf('minute').toMillis() }, to: stretch.to });
  // On weekdays, "next weekend" is the one to come to some and the one after it to others.
  const isOpen = period.unit === 'weekend' && period.ahead === 1 && now.weekday < SATURDAY;
  return isOpen ? once(stretchOf({ ...period, ahead: 0 }, context), stretch) : once(stretch);
}

function stretchOf({ unit, ahead }: Period, { now, firstWeekday }: RangeContext): ClosedStretch {
  if (unit === 'week') {
    const first = weekStart(now, firstWeekday).plus({ weeks: ahead });
    return wholeDays(first, first.plus({ days: 6 }));
  }
  if (unit === 'weekend') {
    const saturday = now.startOf('week').plus({ weeks: ahead, days: SATURDAY - 1 });
    return wholeDays(saturday, saturday.plus({ days: 1 }));
  }
  const first = now.startOf(unit).plus({ [`${unit}s`]: ahead });
  return wholeDays(first, first.endOf(unit));
}
