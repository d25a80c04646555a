import type { Parser } from 'chrono-node';
import { Duration } from 'luxon';
import { type Meaning, wholeParts } from '../piece.ts';
import { allMatches, rule } from '../rule.ts';
import { group, LETTER, type Lexicon, type Vocabulary, wordList } from './vocabulary.ts';

/** Durations from now and from another moment; `bare` is a duration as the whole text. */
export function durations(lexicon: Lexicon): { parsers: Parser[]; bare: Parser } {
  const { words } = lexicon;
  const { pattern, durationOf } = durationWords(lexicon);
  const [hours, minutes] = [unitPattern(words, 'hours'), unitPattern(words, 'minutes')];
  const before = `${group(words.durationBefore)}\\s`;
  const vague =
    '(?:(?:ca|circa|zirka|etwa|ungefahr|environ|ongeveer|unos|unas|cerca de|uns|umas)\\.?\\s|~\\s?)?';
  return {
    parsers: [
      // The duration stands in the pattern once: written out for each case, it would take as long again to compile.
      rule(
        `(?<lead>${before}${vague}|\\+\\s?)?(?<duration>${pattern})(?<later>\\s${group(words.durationAfter)})?`,
        ({ lead, duration = '', later }) =>
          lead === undefined && later === undefined
            ? undefined
            : inWeeks(after(durationOf(duration)), duration),
      ),
      // "dans 2h15", "en 1 hora 30".
      rule(
        `${before}${vague}(?<hours>\\d{1,2})\\s?${hours}\\s?(?:${group(words.and)}\\s)?(?<minutes>[0-5]\\d)(?![\\d:])(?:\\s?${minutes})?`,
        (found) => ({
          fromNow: Duration.fromObject({ hours: Number(found.hours), minutes: Number(found.minutes) }),
        }),
      ),
      rule(`(?:${before})?(?<duration>${pattern})\\s${group(words.durationFrom)}(?=\\s)`, (found) => {
        const duration = durationOf(found.duration ?? '');
        return duration === undefined ? undefined : { plus: duration };
      }),
    ],
    // "20 h", "3 heures" and "18h30min" are times.
    bare: rule(
      `(?<=^\\s*)(?!(?:\\d{1,2}|${lexicon.number})\\s?${group(words.hourUnit)}\\s*$|\\d{1,2}(?:${words.hourLetter ?? 'h'})\\d\\d)(?<duration>${pattern})(?=\\s*$)`,
      ({ duration }) => after(durationOf(duration ?? '')),
    ),
  };
}

function unitPattern({ units }: Vocabulary, unit: string): string {
  return wordList(units.filter(([, each]) => each === unit)).pattern;
}

function durationWords({ words, number, numberOf }: Lexicon) {
  const units = wordList<Vocabulary['units'][number][1]>([
    ...words.units,
    ["'", 'minutes'],
    ['"', 'seconds'],
  ]);
  const minutes = wordList(words.minutes);
  const named = wordList(words.durations);
  const half = `(?:\\s${group(words.andHalf)}|\\s${group(words.and)}\\s${minutes.pattern}(?!${LETTER}))`;
  const beforeHalf = new RegExp(`^\\s${group(words.and)}\\s`, 'i');
  const halfOf = (text: string | undefined): number =>
    text === undefined ? 0 : (minutes.meaningOf(text.replace(beforeHalf, '')) ?? 30) / 60;
  const piece = `(?:${named.pattern}${half}?|(?:(?:1/2|\\d+(?:[.,]\\d+)?)\\s?|(?:${number})\\s)(?:${units.pattern})\\.?(?!${LETTER})${half}?)`;
  const pieces = new RegExp(
    `(?<name>(?<!${LETTER})${named.pattern}(?!${LETTER}))(?<more>${half})?|(?<count>1/2|\\d+(?:[.,]\\d+)?|(?<!${LETTER})(?:${number}))\\s?(?<unit>${units.pattern})\\.?(?!${LETTER})(?<half>${half})?`,
    'gi',
  );
  const joiner = `\\s?(?:,\\s?|${group(words.and)}\\s)?`;
  return {
    pattern: `(?:${piece}(?:${joiner}${piece}){0,4})`,
    durationOf(text: string): Duration | undefined {
      let total = Duration.fromMillis(0);
      for (const { groups } of allMatches(text, pieces)) {
        const name = named.meaningOf(groups?.name);
        const unit = units.meaningOf(groups?.unit);
        const count =
          numberOf(groups?.count) ?? Number(groups?.count?.replace(',', '.').replace('1/2', '.5'));
        if (name !== undefined)
          total = total.plus(Duration.fromISO(name)).plus({ hours: halfOf(groups?.more) });
        else if (unit === undefined || Number.isNaN(count)) return undefined;
        else total = total.plus(wholeParts(unit, count + halfOf(groups?.half)));
      }
      return Duration.fromISO(total.toISO()).isValid ? total : undefined;
    },
  };
}

/** Counted with today: "in acht Tagen" is in a week, and "dans quinze jours" in two. */
const INCLUSIVE_DAYS: readonly number[] = [8, 15];

function inWeeks(meaning: Meaning | undefined, text: string): Meaning | undefined {
  const days = meaning?.fromNow?.as('days');
  if (meaning?.fromNow === undefined || days === undefined || !INCLUSIVE_DAYS.includes(days)) return meaning;
  return /\d/.test(text)
    ? meaning
    : { fromNow: meaning.fromNow.minus({ days: 1 }), orFromNow: meaning.fromNow };
}

function after(duration: Duration | undefined): Meaning | undefined {
  return duration === undefined ? undefined : { fromNow: duration };
}
