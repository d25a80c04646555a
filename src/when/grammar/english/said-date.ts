import type { DateTime } from 'luxon';
import type { Mark, Said } from '../rule.ts';

/** A day of the calendar as what a rule has read. */
export function saidDate({ year, month, day }: DateTime, marks: readonly Mark[] = []): Said {
  return marks.length === 0 ? { year, month, day } : { year, month, day, marks };
}

/** A day, and others that the same words can mean. */
export function eitherDate(date: DateTime, others: readonly DateTime[], marks: readonly Mark[] = []): Said {
  const different = others.filter((other) => !other.hasSame(date, 'day'));
  if (different.length === 0) return saidDate(date, marks);
  const iso = different.map((other) => other.toFormat('yyyy-MM-dd')).join(',');
  return saidDate(date, [`or/${iso}`, ...marks]);
}
