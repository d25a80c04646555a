import type { Parser } from 'chrono-node';
import { Chrono } from 'chrono-node/en';
import { dropLooseHours, dropTimesOffTheClock } from '../chrono-corrections.ts';
import { overlapRemoval, yearFirstDates } from '../chrono-parts.ts';
import type { Language } from '../language.ts';
import { mergePieces } from '../merge-pieces.ts';
import { dateRules, numbersAfterWeekdays } from './date-rules.ts';
import { dayRules } from './day-rules.ts';
import { durations } from './durations.ts';
import { lexicon } from './lexicon.ts';
import { nthWeekdays } from './nth-weekdays.ts';
import { bareDottedDates, markedDottedDates, numericDates } from './numeric-dates.ts';
import { partsOfDay } from './parts-of-day.ts';
import { refusals } from './refusals.ts';
import { LETTER, spelled, withoutAccents } from './spelling.ts';
import { spokenTimes } from './spoken-times.ts';
import { bareDottedTimes, timeRules } from './time-rules.ts';
import { typos } from './typos.ts';
import type { Vocabulary } from './vocabulary.ts';

/** The grammar that the languages of Western Europe share, with the words of one of them. */
export function european(words: Vocabulary): Language {
  const shared = lexicon(words);
  const { parsers, bare } = durations(shared);
  const both = [
    ...yearFirstDates,
    ...dayRules(shared),
    ...dateRules(shared),
    nthWeekdays(shared),
    ...numericDates(shared),
    markedDottedDates(shared),
    ...timeRules(shared),
    ...spokenTimes(shared),
    ...partsOfDay(shared),
    ...parsers,
  ];
  const days = numbersAfterWeekdays(shared);
  const filler = new RegExp(
    `^(?:[\\s,;.@~()!/-]|(?<!${LETTER})(?:${spelled(words.fillers)})(?!${LETTER}))*$`,
    'i',
  );
  const now = new RegExp(`^\\W*(?:${spelled(words.now)})\\W*$`, 'i');
  const isFiller = (text: string): boolean => filler.test(text);
  const grammar = (more: readonly Parser[]): Chrono =>
    new Chrono({
      parsers: [...both, ...more],
      refiners: [...overlapRemoval, dropTimesOffTheClock, mergePieces(isFiller), dropLooseHours],
    });
  return {
    readings: [
      grammar([bareDottedDates, days]),
      grammar([bareDottedTimes, bare, ...(words.hourAfterWeekday ? [] : [days])]),
    ],
    prepare: withoutAccents,
    isFiller,
    isNow: (text) => now.test(withoutAccents(text)),
    refusalOf: refusals(shared),
    correctTypos: typos(words),
    examples: words.examples,
  };
}
