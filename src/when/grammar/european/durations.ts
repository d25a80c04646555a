import { Duration } from 'luxon';
import { type Meaning, wholeParts } from '../piece.ts';
import { allMatches, needing, type Rules, rule } from '../rule.ts';
import type { Lexicon } from './lexicon.ts';
import {
  type CountedUnit,
  group,
  LETTER,
  type ReadingWords,
  type Vocabulary,
  wordList,
} from './vocabulary.ts';

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
