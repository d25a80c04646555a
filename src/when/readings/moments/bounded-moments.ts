import { MAX_MOMENTS } from '../../limits.ts';
import { wallClockAt } from '../../zones/wall-clock.ts';
import { findZoneWords } from '../../zones/zone-words.ts';
import type { Question } from '../question.ts';
import { findRangeThat } from '../ranges/find-range.ts';
import { type ReadRange, readRanges } from '../ranges/understand-range.ts';
import { countOccurrences, occurrencesOf, type ZonedRecurrence } from '../recurrences/occurrences.ts';
import type { Recurrence } from '../recurrences/recurrence.ts';
import { understandRecurrence } from '../recurrences/understand-recurrence.ts';
import { anywhere, perLanguage, plainLetters, readingLexicons } from '../words/reading-lexicon.ts';
import type { ListedMoment } from './listed-moments.ts';

const DAY_MS = 86_400_000;

/**
 * Lists that the words can mean, the likeliest first. `unlisted` is the number of moments beyond the maximum; defaults
 * to 0.
 */
export interface BoundedMoments {
  lists: readonly (readonly ListedMoment[])[];
  unlisted?: number;
  notes: readonly string[];
}

const repeats = perLanguage((lexicon) => {
  const { everyDay, workdays, weekends, everyPart } = lexicon.words.repeats;
  return anywhere(lexicon, [everyDay, workdays, weekends, everyPart].join('|'));
});

/** Texts without any of these have no range and no repetition. */
const hints = perLanguage((lexicon) => {
  const { edges } = lexicon.words;
  return new RegExp(`${repeats(lexicon).source}|${anywhere(lexicon, edges.to).source}|[-–~〜]`, 'i');
});

/** Reads days that repeat until a date in a prepared text: "every weekday next week at 9", "monday to friday at 9am". */
export function boundedMoments(text: string, question: Question): BoundedMoments | undefined {
  const { locale = 'en-US' } = question;
  if (!readingLexicons(locale).some((lexicon) => hints(lexicon).test(plainLetters(text)))) return undefined;
  const found = findRangeThat({ ...question, text }, isDays);
  if (found === undefined || found.reading.kind !== 'understood') return undefined;
  const isRepeated = readingLexicons(locale).some((lexicon) => repeats(lexicon).test(found.rest));
  // "Monday to friday" without a time is a range, not a list.
  const isDaily = found.shape === 'pair' && /[\p{L}\d]/u.test(findZoneWords(found.rest, locale).rest);
  if (!isRepeated && !isDaily) return undefined;
  const read = understandRecurrence({ ...question, text: isRepeated ? found.rest : `daily ${found.rest}` });
  if (read.kind === 'not-understood') return undefined;
  const recurrences = read.kind === 'understood' ? [read.recurrence] : read.candidates;
  const lists = recurrences.map((each) => within(found.phrase, each, text, question));
  if (lists.some((list) => list === undefined)) return undefined;
  const passed = lists[0]?.passed ?? 0;
  return {
    lists: lists.map((list) => list?.moments ?? []),
    unlisted: lists[0]?.unlisted ?? 0,
    notes: [...read.notes, ...(passed === 0 ? [] : [`Already passed: ${passed}.`])],
  };
}

/** Whether a range has several whole days and an end. Without a start, it starts now. */
function isDays({ stretch: { from, to } }: ReadRange): boolean {
  if (to === undefined || to.wall % DAY_MS !== DAY_MS - 1) return false;
  return from === undefined || (from.wall % DAY_MS === 0 && to.wall - from.wall > DAY_MS);
}

/** The moments of a recurrence in a range. The days are those of the recurrence's zone. */
function within(rangeWords: string, recurrence: Recurrence, words: string, question: Question) {
  const { now } = question;
  const [read] = readRanges(rangeWords, { ...question, zone: recurrence.zone ?? question.zone }, true);
  const { from, to, zone } = read?.range ?? {};
  if (to === undefined || zone === undefined) return undefined;
  const zoned: ZonedRecurrence = { ...recurrence, zone: recurrence.zone ?? zone };
  const start = new Date((from ?? now).getTime() - 1);
  const toCome = { after: start > now ? start : now, until: to };
  // One more than the maximum shows that there are too many.
  const ahead = occurrencesOf(zoned, { ...toCome, most: MAX_MOMENTS + 1 });
  const isCut = ahead.length > MAX_MOMENTS;
  return {
    unlisted: isCut ? countOccurrences(zoned, toCome) - ahead.length : 0,
    moments: ahead.map(({ date, instant }): ListedMoment => {
      const moment = { instant, zone: zoned.zone };
      const minuteOfDay =
        (wallClockAt(instant.getTime(), zoned.zone) - Date.parse(`${date}T00:00Z`)) / 60_000;
      const isExact = zoned.times.some(({ hour, minute }) => hour * 60 + minute === minuteOfDay);
      return { words, reading: { kind: isExact ? 'understood' : 'shifted', moment, notes: [] } };
    }),
    passed: countOccurrences(zoned, { after: start, until: now < to ? now : to }),
  };
}
