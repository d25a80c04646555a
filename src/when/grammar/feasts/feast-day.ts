import type { DateTime } from 'luxon';
import type { Meaning } from '../piece.ts';
import type { InYear } from './in-year.ts';

/** What a feast's name stands for: one day of the year, or either of two, the likelier first. */
export type Feast = InYear | readonly [InYear, InYear];

/** The feast's day in that year, or without one the next to come, today included; undefined where it has none. */
export function feastDay(feast: Feast, today: DateTime, year: number | undefined): Meaning | undefined {
  const [inYear, other] = typeof feast === 'function' ? [feast] : feast;
  const date = dayOf(inYear, today, year);
  const or = other === undefined ? undefined : dayOf(other, today, year);
  if (date === undefined) return undefined;
  const said = { year: date.year, month: date.month, day: date.day };
  return or === undefined ? said : { ...said, otherDates: [or] };
}

function dayOf(inYear: InYear, today: DateTime, year: number | undefined): DateTime | undefined {
  if (year !== undefined) return inYear(year);
  const thisYears = inYear(today.year);
  return thisYears === undefined || thisYears < today ? inYear(today.year + 1) : thisYears;
}
