import type { Parser } from 'chrono-node';
import { DateTime } from 'luxon';
import { dateOf, eitherDateOf, type Meaning } from '../piece.ts';
import { numberedWeeks, rule } from '../rule.ts';
import { group, LETTER } from './spelling.ts';
import type { Edge, Lexicon } from './vocabulary.ts';
import { wordList, wordRule } from './word-list.ts';

/** Weeks, months and years, their beginnings and ends, and weekends. */
export function periods(lexicon: Lexicon): Parser[] {
  return [...wholePeriods(lexicon), ...edges(lexicon), weekends(lexicon)];
}

/** "nächste Woche", "KW 7", "nächsten Monat", "nächstes Jahr": each joins a day on either side. */
function wholePeriods({ words }: Lexicon): Parser[] {
  const before = `(?:${group(words.of)}\\s)?`;
  const unit = `(?![:.,]?\\d|\\s?${group(words.hourUnit)}(?!${LETTER}))`;
  return [
    wordRule(words.weeks, (week) => ({ week }), { before }),
    numberedWeeks(`${before}${group(words.calendarWeek)}\\s?`, `(?:[\\s/](?<year>20\\d\\d))?${unit}`),
    // "Le 1er du mois", typed on the 20th, is in the next month.
    wordRule(words.ofMonths, (ahead, today) => (ahead === 0 ? {} : monthAhead(today, ahead)), { before }),
    wordRule(words.years, (ahead, today) => ({ year: today.year + ahead }), { before }),
  ];
}

function monthAhead(today: DateTime, months: number): Meaning {
  const { year, month } = today.startOf('month').plus({ months });
  return { year, month };
}

/** "Monatsende", "Mitte nächster Woche", "Anfang Dezember". */
function edges({ words, months: names }: Lexicon): Parser[] {
  const edge = wordList(words.edges);
  const [weeks, months, years] = [wordList(words.weeks), wordList(words.ofMonths), wordList(words.years)];
  const of = `(?:${group(words.of)}\\s)?`;
  return [
    wordRule(words.ends, (unit, today) => dateOf(today.endOf(unit))),
    rule(
      `(?<edge>${edge.pattern})[\\s-]${of}(?:(?<week>${weeks.pattern})|(?<month>${months.pattern})|(?<year>${years.pattern}))`,
      (found, today) => {
        const at = edge.meaningOf(found.edge);
        const week = weeks.meaningOf(found.week);
        const [month, year] = [months.meaningOf(found.month), years.meaningOf(found.year)];
        if (at === undefined) return undefined;
        if (month !== undefined) {
          const date = edgeOf('month', today.plus({ months: month }), at);
          // "Début de mois", typed on the 20th, is in the next month.
          return dateOf(date < today ? edgeOf('month', today.plus({ months: month + 1 }), at) : date);
        }
        if (year !== undefined) return dateOf(edgeOf('year', today.plus({ years: year }), at));
        const weekday = { start: 1, middle: 3, end: FRIDAY }[at];
        return week === undefined ? undefined : { weekday, week };
      },
    ),
    rule(
      `(?<edge>${edge.pattern})[\\s-]${of}(?<month>${names.pattern})\\.?(?:\\s(?<year>20\\d\\d)(?![:.]?\\d))?`,
      (found, today) => {
        const at = edge.meaningOf(found.edge);
        const month = names.meaningOf(found.month);
        if (at === undefined || month === undefined) return undefined;
        const date = (year: number) => edgeOf('month', DateTime.utc(year, month), at);
        if (found.year !== undefined) return dateOf(date(Number(found.year)));
        return dateOf(date(date(today.year) < today ? today.year + 1 : today.year));
      },
    ),
  ];
}

const FRIDAY = 5;

function edgeOf(unit: 'month' | 'year', day: DateTime, at: Edge): DateTime {
  const start = day.startOf(unit);
  if (at === 'end') return day.endOf(unit);
  if (at === 'start') return start;
  return start.plus(unit === 'month' ? { days: 14 } : { months: 6 });
}

/** "ce week-end": Saturday or Sunday. */
function weekends({ words }: Lexicon): Parser {
  return wordRule(words.weekends, (weeks, today) => {
    const saturday = today.startOf('week').plus({ days: 5, weeks });
    const sunday = saturday.plus({ days: 1 });
    return saturday < today ? dateOf(sunday) : eitherDateOf(saturday, [sunday]);
  });
}
