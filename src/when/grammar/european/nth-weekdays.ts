import type { Parser } from 'chrono-node';
import type { DateTime } from 'luxon';
import { nthWeekday } from '../feasts.ts';
import type { Meaning } from '../piece.ts';
import { rule } from '../rule.ts';
import { dateOf } from './day-rules.ts';
import type { Lexicon } from './lexicon.ts';
import { spelled } from './spelling.ts';
import { wordList } from './word-list.ts';

/** "erster Montag im Oktober", "el último viernes de marzo de 2027", "premier mercredi du mois prochain". */
export function nthWeekdays({ words, weekdays, months, ordinal, dayOf }: Lexicon): Parser {
  const ofMonths = wordList(words.ofMonths);
  const of = spelled(words.of);
  return rule(
    `(?:(?<last>${spelled(words.last)})|(?<nth>${ordinal}))\\s(?<weekday>${weekdays.pattern})\\s(?:(?:${of})\\s?)?(?:(?<ahead>${ofMonths.pattern})|(?<month>${months.pattern})(?:\\s(?:(?:${of})\\s)?(?<year>\\d{4}))?)`,
    (found, today): Meaning | undefined => {
      const weekday = weekdays.meaningOf(found.weekday);
      const nth = found.last === undefined ? dayOf(found.nth) : -1;
      if (weekday === undefined || nth === undefined || nth === 0) return undefined;
      const inMonth = (year: number, month: number) => nthWeekday(year, month, weekday, nth);
      const ahead = ofMonths.meaningOf(found.ahead);
      const named = ahead === undefined ? undefined : today.startOf('month').plus({ months: ahead });
      if (named !== undefined) return said(inMonth(named.year, named.month));
      const month = months.meaningOf(found.month);
      if (month === undefined) return undefined;
      if (found.year !== undefined) return said(inMonth(Number(found.year), month));
      const date = inMonth(today.year, month);
      return said(date === undefined || date >= today ? date : inMonth(today.year + 1, month));
    },
  );
}

function said(date: DateTime | undefined): Meaning | undefined {
  return date === undefined ? undefined : dateOf(date);
}
