import { type DateTime, Duration } from 'luxon';
import { feastDay } from '../feasts.ts';
import { dateOf, eitherDateOf, type Meaning, type WeekChoice, wholeParts } from '../piece.ts';
import { dayAt, periodAhead } from '../places.ts';
import { allMatches, beginningsIn, needing, numberedWeeks, type Rule, type Rules, rule } from '../rule.ts';
import type { Lexicon } from './lexicon.ts';
import {
  type CountedUnit,
  group,
  LETTER,
  type Meanings,
  type NamedDay,
  type ReadingWords,
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
      beside: { weekday: 'working', count: numberOf(count) ?? 1, way: 'after' },
    }),
  );
}

/** "le lundi après Noël", "il secondo martedì dopo Pasqua": before a feast or a date in figures. */
function weekdaysBeside({ words, weekdays: names, ordinal, dayOf }: Lexicon): Rule {
  const day = `(?:${wordList(words.feasts).pattern}|\\d{1,2}[\\s./](?!${group(words.hourUnit)}|\\d\\d\\s?${group(words.hourUnit)}))`;
  const next = `(?=\\s(?:(?:${group(words.of)}|${group(words.dayMarker)})\\s?)?${day})`;
  return rule(
    `(?:(?<nth>${ordinal})\\s)?(?<weekday>${names.pattern})\\s(?:(?<after>${group(words.dayAfter)})|${group(words.dayBefore)})${next}`,
    ({ nth, weekday, after }) => {
      const named = names.meaningOf(weekday);
      if (named === undefined) return undefined;
      return {
        beside: { weekday: named, count: dayOf(nth) ?? 1, way: after === undefined ? 'before' : 'after' },
      };
    },
  );
}

/** "le lendemain de Noël". */
function daysBeside({ words }: Lexicon): Rule {
  const after = `(?=\\s)(?!\\s(?:${group(words.at)}\\s?\\d|\\d{1,2}(?::\\d|\\s?${group(words.hourUnit)}(?!${LETTER}))))`;
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

/** The words of durations, and a pattern for numbers in words with its reader. */
interface DurationWords extends Pick<Lexicon, 'number' | 'numberOf'> {
  words: ReadingWords['grammar'];
}

/** "3/4", "1 1/2", "1 and 1/2". */
export const FRACTION = '(?:\\d+\\s(?:and\\s)?)?[13]\\s?/\\s?[24]';
const FIGURES = `(?:${FRACTION}|\\d+(?:[.,]\\d+)?|(?<![\\d.])\\.\\d+)`;

/** "3/4 días" are three or four days, if not the third of April. */
const QUARTERS = /^[13]\s?\/\s?4$/;

/** "2 hours", "une heure et demie", "1 day, 2 hours and 5 minutes", "2h30m", "3/4 h", "anderthalb Stunden". */
export function durationWords({ words, number, numberOf }: DurationWords) {
  const counts = wordList(words.counts);
  const units = wordList<readonly [unit: CountedUnit, size: number]>([
    ...words.units.map(([word, unit]) => [word, [unit, 1]] as const),
    ...(words.moreUnits ?? []),
  ]);
  const hours = unitPattern(words, 'hours');
  const minutes = wordList(words.minutes);
  const named = wordList(words.durations);
  const and = group(words.and);
  const half = `(?:[\\s-](?:${group(words.andHalf)}|(?![&+])${and}[\\s-]${minutes.pattern}(?!${LETTER})))`;
  const beforeHalf = new RegExp(`^[\\s-](?:${and}[\\s-])?`, 'i');
  const halfOf = (text: string | undefined): number =>
    text === undefined ? 0 : (minutes.meaningOf(text.replace(beforeHalf, '')) ?? 30) / 60;
  const piece = `(?<name>(?<!${LETTER})${named.pattern}(?!${LETTER}))(?<more>${half})?|(?:${group(words.beforeCount)}\\s)?(?<count>${FIGURES}|(?<!${LETTER})(?:${counts.pattern}|${number}))(?<early>${words.countsInParts ? half : '(?!)'})?[\\s-]?(?:${group(words.afterCount)}[\\s-]?)?(?<unit>${units.pattern})(?!${LETTER})(?<late>${half})?`;
  const pieces = new RegExp(piece, 'gi');
  const any = `(?:${piece.replaceAll(/\?<[a-z]+>/g, '?:')})`;
  // "Dans 3 jours 20h" is at 20:00, but "3j 20h" a duration.
  const noHour = `(?:(?<=\\d\\s?[a-z]\\s?)|(?!\\d{1,2}\\s?${words.hourLetter ?? 'h'}(?!${LETTER})))`;
  const bare = `(?:(?<=${group(words.bareMinutesAfter)})\\s(?:${and}\\s)?[1-5]?\\d(?![\\d:.,/-]|\\s?${LETTER}))?`;
  const bareMinutes = new RegExp(`${hours}\\s?(?:${and}\\s)?(\\d\\d?)$`, 'i');
  return {
    pattern: `(?:${any}(?:\\s?(?:,\\s?)?(?:${and}\\s|${noHour})${any}){0,6}${bare})`,
    /** "2h15", "1 hora 30": beside words such as "in" a duration, and elsewhere a time. */
    hoursMinutes: `(?:${group(words.beforeCount)}\\s)?\\d{1,2}\\s?${hours}\\s?(?:${and}\\s)?[0-5]\\d(?![\\d:]|[.,/-]\\d|\\s?${units.pattern}(?!${LETTER}))`,
    /** Undefined for two durations, and for one that ISO 8601 can't write. */
    durationOf(text = ''): Duration | undefined {
      let total = Duration.fromMillis(0);
      const seen = new Set<unknown>();
      for (const { groups } of allMatches(text, pieces)) {
        const name = named.meaningOf(groups?.name);
        const meaning = units.meaningOf(groups?.unit);
        if (name !== undefined) {
          total = total.plus(Duration.fromISO(name)).plus({ hours: halfOf(groups?.more) });
          continue;
        }
        const count =
          numberOf(groups?.count?.toLowerCase()) ??
          counts.meaningOf(groups?.count) ??
          figureOf(groups?.count);
        // "9h et 17h" are two times, but "an hour and half an hour" is one duration.
        if (meaning === undefined || Number.isNaN(count) || (seen.has(meaning) && count >= 1))
          return undefined;
        seen.add(meaning);
        const [unit, size] = meaning;
        if (unit !== 'hours' && !words.countsInParts && QUARTERS.test(groups?.count ?? '')) return undefined;
        total = total.plus(wholeParts(unit, (count + halfOf(groups?.early ?? groups?.late)) * size));
      }
      const more = bareMinutes.exec(text)?.[1];
      if (more !== undefined) total = total.plus({ minutes: Number(more) });
      return Duration.fromISO(total.toISO()).isValid ? total : undefined;
    },
  };
}

/** "1.5", "2,5", ".5", "3/4", "1 and 1/2". */
function figureOf(text = ''): number {
  const [, whole = 0, above, below] = /^(?:(\d+)\s(?:and\s)?)?(\d)\s?\/\s?(\d)$/i.exec(text) ?? [];
  return above === undefined ? Number(text.replace(',', '.')) : Number(whole) + Number(above) / Number(below);
}

const unitPattern = ({ units }: Pick<Vocabulary, 'units'>, unit: string): string =>
  wordList(units.filter(([, each]) => each === unit)).pattern;

/** Durations from now and from another moment; `bare` is a duration as the whole text. */
export function durations(lexicon: Lexicon): { rules: Rules; bare: Rules } {
  const { words } = lexicon;
  const { pattern, hoursMinutes, durationOf } = durationWords(lexicon);
  const before = `${group(words.durationBefore)}\\s`;
  const vague =
    '(?:(?:ca|circa|zirka|etwa|ungefahr|environ|ongeveer|unos|unas|cerca de|uns|umas)\\.?\\s|~\\s?)?';
  const counted = `${wordList(words.units).pattern}|${wordList(words.durations).pattern}`;
  return {
    rules: [
      needing(counted, [
        // "drei Tage vor Heiligabend", "une semaine après Noël". "Deux jours après, à 9h" counts from now.
        rule(
          `(?:${before})?(?<duration>${pattern})(?=(?<tail>\\s(?:${group(words.durationFrom)}|(?<earlier>${group(words.dayBefore)})))\\s(?!${group(words.at)}\\s?\\d))`,
          ({ duration, earlier }) => {
            const plus = durationOf(duration);
            return plus && { plus: earlier === undefined ? plus : plus.negate() };
          },
        ),
        // The duration stands in the pattern once: written out for each case, it would take as long again to compile.
        rule(
          `(?:(?<lead>${before}${vague})(?<duration>${hoursMinutes})|(?<lead>${before}${vague}|\\+\\s?)?(?<duration>${pattern}))(?<later>\\s${group(words.durationAfter)})?`,
          ({ lead, duration, later }) =>
            lead === undefined && later === undefined ? undefined : inWeeks(durationOf(duration), duration),
        ),
      ]),
    ],
    // "20 h", "3 heures" and "18h30min" are times.
    bare: [
      needing(counted, [
        rule(
          `(?<=^\\s*)(?!(?:\\d{1,2}|${lexicon.number})\\s?${group(words.hourUnit)}\\s*$|\\d{1,2}(?:${words.hourLetter ?? 'h'})\\d\\d)(?<duration>${pattern})(?=\\s*$)`,
          ({ duration }) => inWeeks(durationOf(duration), duration),
        ),
      ]),
    ],
  };
}

/** Counted with today: "in acht Tagen" is in a week, and "dans quinze jours" in two. */
const INCLUSIVE_DAYS: readonly number[] = [8, 15];

function inWeeks(duration: Duration | undefined, text = ''): Meaning | undefined {
  if (duration === undefined) return undefined;
  const isExact = /\d/.test(text) || !INCLUSIVE_DAYS.includes(duration.as('days'));
  return isExact ? { fromNow: duration } : { fromNow: duration.minus({ days: 1 }), orFromNow: duration };
}
