import type { Parser } from 'chrono-node';
import { type DateTime, Duration } from 'luxon';
import { feastDay } from '../feasts.ts';
import type { Meaning } from '../piece.ts';
import { rule } from '../rule.ts';
import { group } from './spelling.ts';
import type { Lexicon } from './vocabulary.ts';
import { wordList } from './word-list.ts';

/** Days by their names: "heute", "après-demain", weekdays with their weeks, feasts. */
export function days(lexicon: Lexicon): Parser[] {
  return [
    dayNames(lexicon),
    feasts(lexicon),
    weekdays(lexicon),
    weekThenWeekday(lexicon),
    ends(lexicon),
    ...partsOfDay(lexicon),
  ];
}

function dayNames({ words }: Lexicon): Parser {
  const days = wordList(words.days);
  return rule(`(?<name>${days.pattern})`, ({ name }, today): Meaning | undefined => {
    const day = days.meaningOf(name);
    if (day === undefined) return undefined;
    return {
      ...dateOf(today.plus({ days: day.ahead })),
      isNamedDay: true,
      ...(day.ahead === 0 && { isToday: true }),
      ...(day.part !== undefined && { part: day.part }),
    };
  });
}

/** "nächsten Montag", "mardi prochain", "lunes de esta semana", "lundi en huit", "Montagabend". */
function weekdays({ words, weekdays: names }: Lexicon): Parser {
  const before = wordList(words.weekdayBefore);
  const after = wordList(words.weekdayAfter);
  const weeks = wordList(words.weeks);
  const plus = wordList(words.weekdayPlus);
  const parts = wordList(words.partsOfWeekday);
  const joiners = `(?:${group(words.of)}\\s)?`;
  return rule(
    `(?:(?<before>${before.pattern})\\s)?(?<day>${names.pattern})\\.?(?:\\s?(?<part>${parts.pattern}))?(?:,?\\s(?:(?<after>${after.pattern})|${joiners}(?<week>${weeks.pattern})|(?<plus>${plus.pattern})))?`,
    (found) => {
      const weekday = names.meaningOf(found.day);
      const week =
        weeks.meaningOf(found.week) ?? before.meaningOf(found.before) ?? after.meaningOf(found.after);
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

/** "nächste Woche Montag", "próxima semana el martes". */
function weekThenWeekday({ words, weekdays: names }: Lexicon): Parser {
  const weeks = wordList(words.weeks);
  return rule(
    `(?<week>${weeks.pattern}),?\\s(?:(?:${group(words.dayMarker)}|${group(words.of)})\\s)?(?<day>${names.pattern})\\.?`,
    ({ week, day }) => {
      const weekday = names.meaningOf(day);
      const choice = weeks.meaningOf(week);
      return weekday === undefined || choice === undefined ? undefined : { weekday, week: choice };
    },
  );
}

/** "Ende des Monats", "fin de mes". */
function ends({ words }: Lexicon): Parser {
  const periods = wordList(words.ends);
  return rule(`(?<end>${periods.pattern})`, ({ end }, today) => {
    const period = periods.meaningOf(end);
    if (period === undefined) return undefined;
    return dateOf(today.plus({ [`${period.unit}s`]: period.ahead }).endOf(period.unit));
  });
}

/** A date as the meaning of a piece. */
export function dateOf(date: DateTime): Meaning {
  return { year: date.year, month: date.month, day: date.day };
}

/** "Heiligabend", "lundi de Pâques 2027", "Koningsdag". */
function feasts({ words }: Lexicon): Parser {
  const days = wordList(words.feasts);
  const year = `(?:,?\\s(?:${group(words.of)}\\s)?(?<year>20\\d\\d)(?!\\d|[:.]\\d|\\s?${group(words.hourUnit)}))`;
  return rule(`(?<name>${days.pattern})${year}?`, ({ name, year: inYear }, today) => {
    const feast = days.meaningOf(name);
    return feast === undefined
      ? undefined
      : feastDay(feast, today, inYear === undefined ? undefined : Number(inYear));
  });
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
