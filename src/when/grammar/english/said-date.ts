import type { DateTime } from 'luxon';
import type { Meaning } from '../piece.ts';

/** A day of the calendar, as what a rule has read. */
export function saidDate({ year, month, day }: DateTime): Meaning {
  return { year, month, day };
}

/** A day, and others that the same words can mean. */
export function eitherDate(date: DateTime, others: readonly DateTime[]): Meaning {
  const otherDates = others.filter((other) => !other.hasSame(date, 'day'));
  return otherDates.length === 0 ? saidDate(date) : { ...saidDate(date), otherDates };
}

/** The same for a whole period, of which the day isn't said. */
export function periodDate(date: DateTime, others: readonly DateTime[]): Meaning {
  return { ...eitherDate(date, others), isPeriod: true };
}
