import { DateTime } from 'luxon';
import { type DateOrder, readTime } from './read-time.ts';

/** Renders both readings of a date that can be read in two orders: "3 Apr 2026" and "4 Mar 2026". Plain text. */
export function joinDateReadings(text: string, zone: string): Readonly<Record<DateOrder, string>> {
  const render = (order: DateOrder) => {
    // From before any date, because the question is what the date means, not whether it has passed.
    const reading = readTime(text, { zone, order, now: new Date(0) });
    if (reading.kind !== 'moment') return order === 'day-first' ? 'Day first' : 'Month first';
    return DateTime.fromJSDate(reading.instant, { zone: reading.zone }).toFormat('d LLL yyyy');
  };
  return { 'day-first': render('day-first'), 'month-first': render('month-first') };
}
