import type { Parser } from 'chrono-node';
import { DateTime, Duration } from 'luxon';
import { feastDay } from '../feasts.ts';
import type { Meaning } from '../piece.ts';
import { rule } from '../rule.ts';
import { group, LETTER } from './spelling.ts';
import type { Edge, Lexicon } from './vocabulary.ts';
import { wordList } from './word-list.ts';

/** Days by their names: "heute", "après-demain", weekdays with their weeks, feasts. */
export function days(lexicon: Lexicon): Parser[] {
  return [
    dayNames(lexicon),
    feasts(lexicon),
    weekdays(lexicon),
    ...periods(lexicon),
    ...edges(lexicon),
    ...partsOfDay(lexicon),
  ];
}

function dayNames({ words }: Lexicon): Parser {
  const days = wordList(words.days);
  const plus = wordList(words.weekdayPlus);
  return rule(
    `(?<name>${days.pattern})(?:\\s(?<plus>${plus.pattern}))?`,
    ({ name, plus: added }, today): Meaning | undefined => {
      const day = days.meaningOf(name);
      if (day === undefined) return undefined;
      const later = plus.meaningOf(added);
      const date = today.plus({ days: day.ahead }).plus(Duration.fromISO(later ?? 'PT0S'));
      return {
        ...dateOf(date),
        isNamedDay: true,
        ...(day.ahead === 0 && later === undefined && { isToday: true }),
        ...(day.part !== undefined && { part: day.part }),
      };
    },
  );
}

/** "nächsten Montag", "mardi prochain", "lundi en huit", "in zwei Wochen am Montag", "Montagabend". */
function weekdays({ words, weekdays: names }: Lexicon): Parser {
  const before = wordList(words.weekdayBefore);
  const after = wordList(words.weekdayAfter);
  const plus = wordList(words.weekdayPlus);
  const parts = wordList(words.partsOfWeekday);
  return rule(
    `(?:(?<before>${before.pattern})\\s|(?<ahead>${plus.pattern})\\s(?:${group(words.dayMarker)}\\s)?)?(?<day>${names.pattern})\\.?(?:\\s?(?<part>${parts.pattern}))?(?:,?\\s(?:(?<after>${after.pattern})|(?<plus>${plus.pattern})))?`,
    (found) => {
      const weekday = names.meaningOf(found.day);
      const ahead = plus.meaningOf(found.ahead);
      const week =
        ahead === undefined
          ? (before.meaningOf(found.before) ?? after.meaningOf(found.after))
          : { ahead: Duration.fromISO(ahead).as('weeks') };
      const part = parts.meaningOf(found.part);
      const later = plus.meaningOf(found.plus);
      if (weekday === undefined) return undefined;
      return {
        weekday,
        ...(week !== undefined && { week }),
        ...(part !== undefined && { part }),
        ...(later !== undefined && { plus: Duration.fromISO(later) }),
      };
    },
  );
}

/** "nächste Woche", "KW 7", "nächsten Monat", "nächstes Jahr": each joins a day on either side. */
function periods({ words }: Lexicon): Parser[] {
  const weeks = wordList(words.weeks);
  const months = wordList(words.ofMonths);
  const years = wordList(words.years);
  const of = `(?:${group(words.of)}\\s)?`;
  const unit = `(?![:.,]?\\d|\\s?${group(words.hourUnit)}(?!${LETTER}))`;
  return [
    rule(`${of}(?<week>${weeks.pattern})`, ({ week }) => {
      const choice = weeks.meaningOf(week);
      return choice === undefined ? undefined : { week: choice };
    }),
    rule(
      `${of}${group(words.calendarWeek ?? '(?!)')}\\s?(?<number>[1-9]|[1-4]\\d|5[0-3])(?:[\\s/](?<year>20\\d\\d))?${unit}`,
      ({ number, year }) => ({
        week: { number: Number(number), ...(year !== undefined && { year: Number(year) }) },
      }),
    ),
    rule(`${of}(?<month>${months.pattern})`, ({ month: name }, today) => {
      const ahead = months.meaningOf(name);
      if (ahead === undefined) return undefined;
      const { year, month } = today.startOf('month').plus({ months: ahead });
      return { year, month };
    }),
    rule(`${of}(?<year>${years.pattern})`, ({ year }, today) => {
      const ahead = years.meaningOf(year);
      return ahead === undefined ? undefined : { year: today.year + ahead };
    }),
  ];
}

/** "Monatsende", "Mitte nächster Woche", "Anfang Dezember". */
function edges({ words, months: names }: Lexicon): Parser[] {
  const ends = wordList(words.ends);
  const edge = wordList(words.edges);
  const [weeks, months, years] = [wordList(words.weeks), wordList(words.ofMonths), wordList(words.years)];
  const of = `(?:${group(words.of)}\\s)?`;
  return [
    rule(`(?<end>${ends.pattern})`, ({ end }, today) => {
      const period = ends.meaningOf(end);
      if (period === undefined) return undefined;
      return dateOf(edgeOf(period.unit, today.plus({ [`${period.unit}s`]: period.ahead }), 'end'));
    }),
    rule(
      `(?<edge>${edge.pattern})\\s${of}(?:(?<week>${weeks.pattern})|(?<month>${months.pattern})|(?<year>${years.pattern}))`,
      (found, today) => {
        const at = edge.meaningOf(found.edge);
        const week = weeks.meaningOf(found.week);
        const [month, year] = [months.meaningOf(found.month), years.meaningOf(found.year)];
        if (at === undefined) return undefined;
        if (month !== undefined) return dateOf(edgeOf('month', today.plus({ months: month }), at));
        if (year !== undefined) return dateOf(edgeOf('year', today.plus({ years: year }), at));
        const weekday = { start: 1, middle: 3, end: FRIDAY }[at];
        return week === undefined ? undefined : { weekday, week };
      },
    ),
    rule(
      `(?<edge>${edge.pattern})\\s${of}(?<month>${names.pattern})\\.?(?:\\s(?<year>20\\d\\d)(?![:.]?\\d))?`,
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

/** A date as the meaning of a piece. */
export function dateOf(date: DateTime): Meaning {
  return { year: date.year, month: date.month, day: date.day };
}

/** "Heiligabend", "lundi de Pâques 2027", "Koningsdag". */
function feasts({ words }: Lexicon): Parser {
  const days = wordList(words.feasts);
  const years = wordList(words.years);
  const year = `(?<year>20\\d\\d)(?!\\d|[:.]\\d|\\s?${group(words.hourUnit)})`;
  return rule(
    `(?<name>${days.pattern})(?:,?\\s(?:${group(words.of)}\\s)?(?:${year}|(?<named>${years.pattern})))?`,
    ({ name, year: figures, named }, today) => {
      const feast = days.meaningOf(name);
      const ahead = years.meaningOf(named);
      const inYear = ahead === undefined ? figures && Number(figures) : today.year + ahead;
      return feast === undefined ? undefined : feastDay(feast, today, inYear || undefined);
    },
  );
}

/** Parts of the day: "am Abend", "de la tarde", "ce soir". */
function partsOfDay({ words, weekdays }: Lexicon): Parser[] {
  const parts = wordList(words.parts);
  const ofToday = wordList(words.partsOfToday);
  const ofWeekday = wordList(words.partsOfWeekday);
  return [
    rule(`(?<part>${parts.pattern})`, ({ part }) => {
      const meant = parts.meaningOf(part);
      return meant === undefined ? undefined : { part: meant };
    }),
    rule(`(?<part>${ofToday.pattern})`, ({ part }, today) => {
      const meant = ofToday.meaningOf(part);
      return meant === undefined ? undefined : { ...dateOf(today), isToday: true, part: meant };
    }),
    rule(`(?<=${weekdays.pattern}\\s)(?<part>${ofWeekday.pattern})`, ({ part }) => {
      const meant = ofWeekday.meaningOf(part);
      return meant === undefined ? undefined : { part: meant };
    }),
  ];
}
