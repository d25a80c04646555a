import { DateTime } from 'luxon';
import { dateIn, dateInEitherOrder, fullYear, type Meaning } from '../piece.ts';
import { dayAt, type NamedPeriod, namedMonth, namedPart, periodAhead, wholePeriod } from '../places.ts';
import { type Groups, needing, type Rule, type Rules, rule } from '../rule.ts';
import type { Lexicon } from './lexicon.ts';
import { group, LETTER, NAMED_UNITS, spelled, wordList } from './vocabulary.ts';

/** A number that isn't part of a time, a percentage or a longer date. */
const FIGURE =
  '(?<![:.,]|\\d)\\d{1,2}(?![:.,]?\\d|\\s?[ap]\\.?\\s?m\\b|\\s?[hu]\\b|\\s?uhr|\\s?%|\\s?/\\s?\\d|-\\d)';
/** A year in two figures that can't be an hour: "3. März 27". */
const SHORT_YEAR = "\\s'?(?<short>2[5-9]|[3-5]\\d)(?![:.,]?\\d|[/-]|\\s?(?:h|u|uhr|min|sek|sec|am|pm)\\b)";
const YEAR_END = '(?!\\d|[:.]\\d|\\s?(?:h|u|uhr)\\b(?!\\s?\\d))';

/** Dates with words in them: "3. März 2027", "el primero de mayo", "le 15". */
export function dates(lexicon: Lexicon): Rules {
  const { months, nouns, yearParts } = lexicon;
  const periods = [...NAMED_UNITS.map((unit) => group(nouns[unit])), months.pattern, yearParts.pattern];
  return [
    needing(months.pattern, [dayThenMonth(lexicon), monthThenDay(lexicon), dashedDates(lexicon)]),
    needing(/\d/, dayThenMonthFigure(lexicon)),
    ...ordinalMonths(lexicon),
    needing(['20\\d\\d', ...periods].join('|'), [placesInPeriods(lexicon)]),
    needing(yearParts.pattern, [wholeParts(lexicon)]),
    daysOfMonth(lexicon),
    needing(/^\s*\d/, [numbersBeforeTimes(lexicon)]),
  ];
}

function parts({ words, months, ordinal, number }: Lexicon) {
  const of = group(words.of);
  // "1 december 14 uur" has a time, and "3 marzo 24 ore per vincere" a duration.
  const figure = `${FIGURE}(?!(?<!2[4-9]|3\\d)\\s?${group(words.hourUnit)}(?!${LETTER}))`;
  return {
    marker: `(?:${group(words.dayMarker)}\\s)?`,
    of,
    month: `(?<month>${months.pattern})\\.?`,
    day: `(?<day>${ordinal}|${figure}|${number})`,
    year: `(?:(?:\\s?,\\s?|\\s|-|/)(?:${of}\\s?)?(?:(?<year>\\d{4}${YEAR_END})|${group(words.twoThousand)}\\s(?:${group(words.and)}\\s)?(?<words>${number}))|(?:\\s${of})?${SHORT_YEAR}|\\s${wordList(words.weekdayAfter).pattern})?`,
  };
}

function dayThenMonth(lexicon: Lexicon): Rule {
  const { marker, of, day, month, year } = parts(lexicon);
  return rule(
    `${marker}${day}\\.?(?:\\s${group(lexicon.words.dayNoun)})?(?:\\s?[-/]\\s?|\\s?,?\\s?(?:${of}\\s?)?)${month}${year}`,
    (found) => namedDate(lexicon, found),
  );
}

function monthThenDay(lexicon: Lexicon): Rule {
  const { marker, day, month, year } = parts(lexicon);
  // "mar 19" is a Tuesday where the day comes first.
  const noWeekday = `(?!${lexicon.weekdays.pattern}\\b)`;
  return rule(`${noWeekday}${month}(?:\\s|-)${marker}${day}${year}`, (found) =>
    // "dec 28 29" names two days.
    found.short === undefined ? namedDate(lexicon, found) : undefined,
  );
}

/** "2020/sep/23", "23-2020-septembre". */
function dashedDates(lexicon: Lexicon): Rule {
  return rule(inAnyOrder(`(?<month>${lexicon.months.pattern})\\.?`), (found) => namedDate(lexicon, found));
}

/** A pattern for the name of a month with day and year in any order. */
export function inAnyOrder(month: string): string {
  const figures = ['(?<day>\\d{1,2})', '(?<year>20\\d\\d)'];
  const orders = [figures, figures.toReversed()].flatMap(([a, b]) => [
    [month, a, b],
    [a, month, b],
    [a, b, month],
  ]);
  return `(?:${orders.map((order) => order.join('[/-]')).join('|')})(?![\\d/-])`;
}

/** "el 17 del 11": the month in figures after a word. */
function dayThenMonthFigure({ words }: Lexicon): Rule[] {
  if (words.ofMonthFigure === undefined) return [];
  const marker = `(?:${group(words.dayMarker)}\\s)?`;
  const pattern = `${marker}(?<day>${FIGURE})\\s${spelled(words.ofMonthFigure)}(?<month>${FIGURE})(?!\\s\\d{1,2}(?![\\d:.]|\\s?${group(words.hourUnit)}))`;
  return [rule(pattern, ({ day, month }) => dateIn(Number(day), Number(month)))];
}

/** "am siebten vierten": day and month as ordinals. */
function ordinalMonths({ words, ordinal, dayOf }: Lexicon): Rule[] {
  if (words.ordinalMonths !== true) return [];
  const pattern = `${group(words.dayMarker)}\\s(?<day>${ordinal})\\s(?<month>${wordList(words.ordinals).pattern})`;
  return [rule(pattern, ({ day, month }) => dateIn(dayOf(day), dayOf(month)))];
}

function namedDate(lexicon: Lexicon, found: Groups): Meaning | undefined {
  const { months, dayOf } = lexicon;
  return dateIn(dayOf(found.day), months.meaningOf(found.month), yearIn(lexicon, found));
}

function yearIn({ numberOf }: Lexicon, { year, short, words }: Groups): number | undefined {
  const figures = year ?? short;
  if (figures !== undefined) return fullYear(figures);
  return words === undefined ? undefined : 2000 + (numberOf(words) ?? 0);
}

/** "am 15.", "le 1er", "el día quince", "primo del mese". */
function daysOfMonth({ words, ordinal, number, dayOf, periods, openPeriods }: Lexicon): Rule {
  return rule(
    `(?:${group(words.dayMarker)}\\s(?<marked>${ordinal}|${FIGURE}|${number})|(?<marked>${ordinal})(?=\\s(?:(?:${group(words.of)}\\s)?${periods.month.pattern}|${group(words.of)}\\s?${openPeriods.month}))|(?<figure>(?<![:.]\\d?)\\d{1,2}\\s?${group(words.ordinalEnding)}))(?:\\s${group(words.dayNoun)})?(?!\\s?${group(words.hourUnit)}(?!${LETTER}))`,
    ({ marked, figure }) => {
      const day = dayOf(marked ?? figure);
      return day === undefined || day < 1 || day > 31 ? undefined : { day };
    },
  );
}

/** "15 a las 8:00", "15, 8pm": at the beginning and before a time, a number is a day of the month. */
function numbersBeforeTimes({ words, meridiem }: Lexicon): Rule {
  const at = `(?:,?\\s${group(words.at)}\\s?|,\\s?)`;
  return rule(
    `(?<=^\\s*)(?<day>\\d{1,2})(?=${at}\\d{1,2}(?:[:h]\\d\\d|${meridiem}))`,
    ({ day }) => dateIn(Number(day), 1) && { day: Number(day) },
  );
}

/**
 * "vendredi 15": after a weekday, a number is a day of the month. If the coming day of that number is another weekday, it
 * can be an hour too.
 */
export function numbersAfterWeekdays({ weekdays, months, number, words, dayOf }: Lexicon): Rules {
  // "quarta 8 da manhã" is an hour, "lunes 8 por la mañana" a day.
  const hour = `(?:1[0-2]|[1-9])\\s(?=${group(words.of)}\\s)${wordList(words.parts).pattern}`;
  const days = rule(
    `(?<weekday>${weekdays.pattern})\\.?,?\\s(?!${hour})(?<day>${FIGURE}|${number})(?!\\s?${group(words.hourUnit)}(?!${LETTER})|\\s(?:${group(words.of)}\\s)?${months.pattern})`,
    (found, today) => {
      const weekday = weekdays.meaningOf(found.weekday);
      const day = dayOf(found.day);
      if (weekday === undefined || day === undefined || day < 1 || day > 31) return undefined;
      const coming = today.plus({ months: day < today.day ? 1 : 0 }).set({ day });
      const canBeHour = day < 24 && coming.weekday % 7 !== weekday;
      return { weekday, day, ...(canBeHour && { orHour: day }) };
    },
  );
  return [needing(weekdays.pattern, [days])];
}

/**
 * "erster Montagabend im Oktober", "el último viernes de marzo de 2027", "le dernier jour du mois", "Mitte nächster Woche", "Anfang
 * Dezember".
 */
function placesInPeriods(lexicon: Lexicon): Rule {
  const { words, weekdays, months, yearParts, nouns, periods, openPeriods, ordinal, dayOf } = lexicon;
  const edges = wordList(words.edges);
  const { marker, of, month, year: inYear } = parts(lexicon);
  const named = NAMED_UNITS.map(
    (unit) => `(?<${unit}Ahead>${periods[unit].pattern})|(?<${unit}Open>${openPeriods[unit]})`,
  );
  const dayParts = wordList([...(words.partsOfWeekday ?? []), ...words.parts]);
  const nth = `${marker}(?:(?<last>${spelled(words.last)})|(?<nth>${ordinal}))\\s(?:(?<weekday>${weekdays.pattern})(?:\\s?(?<part>${dayParts.pattern}))?|(?<of>${group(nouns.week)}|${group(words.workingDay)})|${group(words.dayNoun)})\\s`;
  const isWeek = new RegExp(`^${group(nouns.week)}$`, 'i');
  const alone = `(?:${group(nouns.year)}\\s(?:${of}\\s?)?)?(?<alone>20\\d\\d)${YEAR_END}`;
  const periodIn = (found: Groups, today: DateTime): NamedPeriod | undefined => {
    for (const unit of NAMED_UNITS) {
      const ahead = periods[unit].meaningOf(found[`${unit}Ahead`]);
      // "Début de mois", typed on the 20th, is in the next month.
      if (ahead !== undefined || found[`${unit}Open`] !== undefined) return periodAhead(unit, today, ahead);
    }
    if (found.alone !== undefined) return { unit: 'year', firstDay: DateTime.utc(Number(found.alone)) };
    const [numbered, inYear] = [yearParts.meaningOf(found.numbered), yearIn(lexicon, found)];
    return numbered === undefined
      ? namedMonth(months.meaningOf(found.month), today, inYear)
      : namedPart(numbered, today, inYear);
  };
  return rule(
    `(?:(?<edge>${edges.pattern})[\\s-]|${nth})(?:${of}\\s?)?(?:${alone}|${named.join('|')}|(?:${month}|(?<numbered>${yearParts.pattern}))${inYear})`,
    (found, today) => {
      const period = periodIn(found, today);
      const count = found.last === undefined ? dayOf(found.nth) : -1;
      const weekday = weekdays.meaningOf(found.weekday);
      const of = found.of === undefined ? 'day' : isWeek.test(found.of) ? 'week' : 'working-day';
      const nthDay =
        count && (weekday === undefined ? ({ nth: count, of } as const) : { nth: count, weekday });
      const place = edges.meaningOf(found.edge) ?? nthDay;
      const part = dayParts.meaningOf(found.part);
      const day = period && place ? dayAt(place, period, today) : undefined;
      return day && { ...day, ...(part !== undefined && { part }) };
    },
  );
}

/** "Q1 2027", "im zweiten Quartal", "primer semestre de 2027". */
function wholeParts(lexicon: Lexicon): Rule {
  const { marker, of, year } = parts(lexicon);
  const pattern = `${marker}(?:(?<before>20\\d\\d)[\\s/-])?(?:${of}\\s)?(?<part>${lexicon.yearParts.pattern})${year}`;
  return rule(pattern, ({ before, part, ...words }, today) => {
    const named = lexicon.yearParts.meaningOf(part);
    const inYear = before === undefined ? yearIn(lexicon, words) : Number(before);
    return named && wholePeriod(namedPart(named, today, inYear), today);
  });
}

/** Dates in figures, the day first: "3/4", "3/4/27", "3-4-2027", "14.9.", "14.9.2027". */
export function numericDates(lexicon: Lexicon): Rules {
  const { words } = lexicon;
  const marker = `(?:${group(words.dayMarker)}\\s)?`;
  const dates = [
    rule(
      `${marker}(?<a>\\d{1,2})\\s?/\\s?(?<b>\\d{1,2})(?:\\s?/\\s?(?<year>\\d{4}|\\d\\d))?(?![/\\d])`,
      ({ a, b, year }) => dateInEitherOrder([Number(a), Number(b), year]),
    ),
    rule(`(?<day>\\d{1,2})-(?<month>\\d{1,2})-(?<year>\\d{4}|'?\\d\\d)(?![-\\d])`, readEither),
    rule(
      `(?<![\\d.])(?<day>\\d{1,2})\\.\\s?(?<month>\\d{1,2})\\.(?:\\s?(?<year>\\d{4}(?![:.]\\d))|(?<year>\\d\\d)(?![:.\\d]))?`,
      read,
    ),
    rule(
      `(?<day>\\d{1,2})\\s(?<month>\\d{1,2})\\s(?<year>20\\d\\d|\\d\\d)(?![:.\\d]|\\s?${group(words.hourUnit)})`,
      read,
    ),
    markedDottedDates(lexicon),
    ...(words.dashedDates ? [rule('(?<day>\\d{1,2})-(?<month>\\d{1,2})(?![-\\d])', readEither)] : []),
  ];
  return [needing(/\d\s?[-./\s]\s?\d/, dates)];
}

/** "10.10": could be a time as well. */
export const bareDottedDates = rule('(?<![\\d.])(?<day>\\d{1,2})\\.(?<month>\\d{1,2})(?![.:\\d])', read);

/** "am 10.10", "Mi 10.10": only a date. */
function markedDottedDates({ words, weekdays }: Lexicon): Rule {
  const before = `${group(words.dayMarker)}\\s(?:${weekdays.pattern}\\.?,?\\s)?(?:${group(words.dayMarker)}\\s)?`;
  return rule(`${before}(?<day>\\d{1,2})[.-](?<month>\\d{1,2})(?![-.:\\d])`, ({ day, month }) =>
    dateIn(Number(day), Number(month)),
  );
}

/** The day comes first, unless the reader's order turns the date. */
function readEither({ day, month, year }: Groups): Meaning | undefined {
  return dateInEitherOrder([Number(day), Number(month), year?.replace("'", '')]);
}

/** The day comes first. */
function read({ day, month, year }: Groups): Meaning | undefined {
  return dateIn(Number(day), Number(month), year?.replace("'", ''));
}
