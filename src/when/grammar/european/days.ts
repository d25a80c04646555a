import { type DateTime, Duration } from 'luxon';
import { feastDay } from '../feasts.ts';
import { dateOf, eitherDateOf, type Meaning, type WeekChoice } from '../piece.ts';
import { dayAt, periodAhead } from '../places.ts';
import { beginningsIn, needing, numberedWeeks, type Rule, type Rules, rule } from '../rule.ts';
import type { Lexicon } from './lexicon.ts';
import {
  group,
  LETTER,
  type Meanings,
  type NamedDay,
  type Vocabulary,
  type WordList,
  wordList,
} from './vocabulary.ts';

/** Days by their names: "heute", "après-demain", weekdays, feasts. */
export function days(lexicon: Lexicon): Rules {
  const { words, weekdays: names } = lexicon;
  return [
    needing(names.pattern, [weekdaysBeside(lexicon)]),
    daysBeside(lexicon),
    dayNames(words),
    needing({ test: beginningsIn(wordList(words.feasts).pattern) }, [feasts(lexicon)]),
    needing(names.pattern, [weekdays(words, names)]),
    needing(group(words.workingDay), [workingDays(lexicon)]),
    ...partsOfDay(lexicon),
  ];
}

/** "Heute", "après-demain", "tomorrow", "today week". */
export function dayNames(words: Partial<Vocabulary>): Rule {
  const days = wordList(words.days);
  const plus = wordList(words.weekdayPlus);
  return rule(`(?<name>${days.pattern})(?:\\s(?<plus>${plus.pattern}))?`, ({ name, plus: added }, today) =>
    namedDay(days.meaningOf(name), today, plus.meaningOf(added)),
  );
}

/** A day by its name, or so long after it (ISO 8601). */
export function namedDay(day: NamedDay | undefined, today: DateTime, later?: string): Meaning | undefined {
  if (day === undefined) return undefined;
  const date = later === undefined ? today : today.plus(Duration.fromISO(later));
  return {
    ...dateOf(date.plus({ days: day.ahead })),
    isNamedDay: true,
    ...(day.ahead === 0 && later === undefined && { isToday: true }),
    ...(day.part !== undefined && { part: day.part }),
  };
}

/** "nächsten Montag", "mardi prochain", "friday week", "lundi en huit", "in zwei Wochen am Montag", "Montagabend". */
export function weekdays(words: Partial<Vocabulary>, names: WordList<number>): Rule {
  const { plusOnlyAfter = false } = words;
  const before = wordList(words.weekdayBefore);
  const after = wordList(words.weekdayAfter);
  const plus = wordList(words.weekdayPlus);
  const parts = wordList(words.partsOfWeekday);
  const ordinary = new RegExp(`^${group(words.ordinaryWords)}$`, 'i');
  const ahead = plusOnlyAfter ? '(?!)' : `(?<inWeeks>${plus.pattern})\\s(?:${group(words.dayMarker)}\\s)?`;
  return rule(
    `(?:(?<before>${before.pattern})\\s|${ahead})?(?<day>${names.pattern})(?:\\.|'s\\b)?(?:\\s?(?<part>${parts.pattern}))?(?:,?\\s(?:(?<after>${after.pattern})|(?<plus>${plus.pattern})))?`,
    (found) => {
      const weekday = names.meaningOf(found.day);
      const inWeeks = plus.meaningOf(found.inWeeks);
      const week =
        inWeeks === undefined
          ? weekOf(before.meaningOf(found.before), after.meaningOf(found.after))
          : { ahead: Duration.fromISO(inWeeks).as('weeks') };
      const isOrdinaryWord = week === undefined && ordinary.test(found.day ?? '');
      const part = parts.meaningOf(found.part);
      const later = plus.meaningOf(found.plus);
      if (weekday === undefined) return undefined;
      return {
        weekday,
        ...(week !== undefined && (later === undefined || !plusOnlyAfter) && { week }),
        ...(part !== undefined && { part }),
        ...(isOrdinaryWord && { isOrdinaryWord }),
        ...(later !== undefined && { plus: Duration.fromISO(later) }),
      };
    },
  );
}

/** "Ce vendredi qui vient" is this week's. "Next friday but one" is one more week away. */
function weekOf(before: WeekChoice | undefined, after: WeekChoice | undefined): WeekChoice | undefined {
  return after === 'after-next' ? after : (before ?? after);
}

/** "in 3 Werktagen", "volgende werkdag". */
function workingDays({ words, number, numberOf }: Lexicon): Rule {
  const next = wordList(words.weekdayBefore.filter(([, week]) => week === 'next' || week === 'coming'));
  return rule(
    `(?:${group(words.durationBefore)}\\s(?<count>\\d{1,2}|${number})|${next.pattern})\\s${group(words.workingDay)}`,
    ({ count }, today) => ({
      ...dateOf(today),
      beside: { weekday: 'working', count: count === undefined ? 1 : (numberOf(count) ?? 1), way: 'after' },
    }),
  );
}

/** "le lundi après Noël", "il secondo martedì dopo Pasqua": before a feast or a date in figures. */
function weekdaysBeside({ words, weekdays: names, ordinal, dayOf }: Lexicon): Rule {
  const day = `(?:${wordList(words.feasts).pattern}|\\d{1,2}[\\s./])`;
  const next = `(?=\\s(?:(?:${group(words.of)}|${group(words.dayMarker)})\\s?)?${day})`;
  return rule(
    `(?:(?<nth>${ordinal})\\s)?(?<weekday>${names.pattern})\\s(?:(?<after>${group(words.dayAfter)})|${group(words.dayBefore)})${next}`,
    ({ nth, weekday, after }) => {
      const named = names.meaningOf(weekday);
      if (named === undefined) return undefined;
      const count = nth === undefined ? 1 : (dayOf(nth) ?? 1);
      return { beside: { weekday: named, count, way: after === undefined ? 'before' : 'after' } };
    },
  );
}

/** "le lendemain de Noël". */
function daysBeside({ words }: Lexicon): Rule {
  const after = `(?=\\s)(?!\\s${group(words.at)}\\s?\\d)`;
  return wordRule(words.daysBeside, (duration) => ({ plus: Duration.fromISO(duration) }), { after });
}

/** "Heiligabend", "lundi de Pâques 2027", "Koningsdag". */
function feasts({ words, periods, openPeriods }: Lexicon): Rule {
  const days = wordList(words.feasts);
  const parts = wordList(words.parts);
  const atPart = new RegExp(`^(?<part>${parts.pattern})\\s(?:${group(words.of)}\\s)`, 'i');
  const year = `(?<year>20\\d\\d)(?!\\d|[:.]\\d|\\s?${group(words.hourUnit)})`;
  return rule(
    `(?<name>${days.pattern})(?:,?\\s(?:${group(words.of)}\\s?)?(?:${year}|(?<named>${periods.year.pattern})|(?<open>${openPeriods.year})))?`,
    ({ name, year: figures, named, open }, today) => {
      const feast = days.meaningOf(name);
      const ahead = open === undefined ? periods.year.meaningOf(named) : 0;
      const inYear = ahead === undefined ? figures && Number(figures) : today.year + ahead;
      const day = feast && feastDay(feast, today, inYear || undefined);
      const part = parts.meaningOf(atPart.exec(name ?? '')?.groups?.part);
      return day && { ...day, isNamedDay: true, ...(part !== undefined && { part }) };
    },
  );
}

/** Parts of the day: "am Abend", "de la tarde", "ce soir", "tard". */
function partsOfDay({ words, weekdays }: Lexicon): Rules {
  return [
    wordRule(words.parts, (part) => ({ part })),
    wordRule(words.partsOfToday, (part, today) => ({ ...dateOf(today), isToday: true, part })),
    needing(weekdays.pattern, [
      wordRule(words.partsOfWeekday, (part) => ({ part }), { before: `(?<=${weekdays.pattern}\\s)` }),
    ]),
    rule(group(words.late), () => ({ edge: 'late' })),
  ];
}

/** Weeks, months and years, their beginnings and ends, and weekends. */
export function periods(lexicon: Lexicon): Rules {
  return [...wholePeriods(lexicon), weekends(lexicon)];
}

/** "nächste Woche", "KW 7", "del mes", "nächstes Jahr": each joins a day on either side. "Monatsende" is a day. */
function wholePeriods({ words, calendarWeek, periods, openPeriods, nouns }: Lexicon): Rules {
  const of = `${group(words.of)}\\s?`;
  const unit = `(?![:.,]?\\d|\\s?${group(words.hourUnit)}(?!${LETTER}))`;
  const [beforeNumber = '', afterNumber = ''] = calendarWeek;
  const named = (['week', 'month', 'year'] as const).map((name) =>
    needing(group(nouns[name]), [
      rule(`(?:${of})?(?<named>${periods[name].pattern})|${of}${openPeriods[name]}`, (found, today) =>
        periodBeside(name, periods[name].meaningOf(found.named) ?? 0, words, today),
      ),
    ]),
  );
  return [
    ...named,
    needing(/\d/, [
      numberedWeeks(`(?:${of})?${beforeNumber}`, `${afterNumber}(?:[\\s/](?<year>20\\d\\d))?${unit}`),
    ]),
    wordRule(
      words.edgesInOneWord,
      ({ place, unit }, today) => dayAt(place, periodAhead(unit, today), today) ?? {},
    ),
  ];
}

function periodBeside(
  unit: 'week' | 'month' | 'year',
  ahead: number,
  { weeksMayBeginOnSunday: mayBeginOnSunday = false }: Vocabulary,
  today: DateTime,
): Meaning {
  if (unit === 'week') return { week: { ahead, ...(ahead > 0 && mayBeginOnSunday && { mayBeginOnSunday }) } };
  if (unit === 'year') return { year: today.year + ahead };
  // "Le 1er du mois", typed on the 20th, is in the next month.
  if (ahead === 0) return {};
  const { year, month } = today.startOf('month').plus({ months: ahead });
  return { year, month };
}

/** "ce week-end": Saturday or Sunday. */
function weekends({ words }: Lexicon): Rule {
  return wordRule(words.weekends, (weeks, today) => {
    const saturday = today.startOf('week').plus({ days: 5, weeks });
    const sunday = saturday.plus({ days: 1 });
    const days = saturday < today ? dateOf(sunday) : eitherDateOf(saturday, [sunday]);
    return { ...days, lastDay: sunday };
  });
}

/** A rule for any of the words, with other patterns before and after them. */
function wordRule<T>(
  meanings: Meanings<T> | undefined,
  read: (meaning: T, today: DateTime) => Meaning,
  { before = '', after = '' } = {},
): Rule {
  const { pattern, meaningOf } = wordList(meanings);
  return rule(`${before}(?<word>${pattern})${after}`, ({ word }, today) => {
    const meaning = meaningOf(word);
    return meaning === undefined ? undefined : read(meaning, today);
  });
}
