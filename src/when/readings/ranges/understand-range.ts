import { DateTime } from 'luxon';
import { readWithinLimits } from '../../limits.ts';
import { notUnderstood } from '../../moment.ts';
import { wallClockAt } from '../../zones/wall-clock.ts';
import { findZoneWords } from '../../zones.ts';
import { preparedText, withoutSlips } from '../prepared-text.ts';
import type { Question } from '../question.ts';
import { plainLetters, readingLexicons } from '../words/reading-lexicon.ts';
import { firstWeekday } from './first-weekday.ts';
import type { Range, RangeReading } from './range.ts';
import { type ReadStretch, readRange } from './read-range.ts';
import { renderRange } from './render-range.ts';
import { rangeOf } from './resolve-range.ts';

/** More than this many would be no question but a list. */
const MOST_CANDIDATES = 4;

/** The one stretch of time that words mean, or what to ask, or why not. Never throws for any text. */
export function understandRange(question: Question): RangeReading {
  const { text, locale = 'en-US' } = question;
  const examples = readingLexicons(locale)[0]?.words.examples.ranges ?? [];
  const tooLong = (reason: string) => ({ ...notUnderstood('', reason), examples });
  return readWithinLimits({ text, tooLong }, () => readWhole(question, examples));
}

function readWhole(question: Question, examples: readonly string[]): RangeReading {
  const { text, locale = 'en-US' } = question;
  const prepared = preparedText(text, locale);
  const found = onceEach(readRanges(prepared, question));
  if (found.length > 0) return answer(found, question, []);
  const corrected = withoutSlips(prepared, locale);
  const meant = corrected === undefined ? [] : onceEach(readRanges(corrected.text, question));
  if (meant.length > 0) return answer(meant, question, corrected?.notes ?? []);
  return { ...notUnderstood(prepared, 'I don’t know this range of dates.'), examples };
}

function answer(found: readonly ReadRange[], question: Question, slips: readonly string[]): RangeReading {
  const readings = found.map(({ range }) => ({ range, text: renderRange(range, question) }));
  const notes = [...new Set([...slips, ...found.flatMap((each) => each.notes)])];
  const [only] = readings;
  if (only !== undefined && readings.length === 1) return { kind: 'understood', ...only, notes };
  return { kind: 'ambiguous', candidates: readings.slice(0, MOST_CANDIDATES), notes };
}

/** A reading on the wall, and the instants that it means. */
export interface ReadRange extends ReadStretch {
  range: Range;
}

/** All ranges that prepared text can mean, in each zone that its words can mean, the likeliest first. */
export function readRanges(
  prepared: string,
  { now, zone, locale = 'en-US' }: Question,
  isAhead = false,
): readonly ReadRange[] {
  const { rest, meanings } = findZoneWords(prepared, locale);
  const words = plainLetters(rest)
    .replaceAll(/\s+/g, ' ')
    .replace(/^[\s,]+|[\s,.!?]+$/g, '');
  const zones = meanings.length === 0 ? [zone] : [...new Set(meanings.map((meaning) => meaning.zone))];
  return zones.flatMap((each) => {
    const context = {
      now: DateTime.fromMillis(wallClockAt(now.getTime(), each), { zone: 'utc' }),
      instant: now.getTime(),
      zone: each,
      locale,
      firstWeekday: firstWeekday(locale),
      isAhead,
    };
    const read = readingLexicons(locale)
      .map((lexicon) => readRange(words, lexicon, context))
      .find((stretches) => stretches.length > 0);
    return (read ?? [])
      .map((found) => ({ ...found, range: rangeOf(found.stretch, each) }))
      .filter(({ range }) => isOnCalendar(range));
  });
}

/** "99999999999 days" from now is on no calendar. */
function isOnCalendar({ from, to }: Range): boolean {
  return [from, to].every((end) => end === undefined || !Number.isNaN(end.getTime()));
}

function onceEach(read: readonly ReadRange[]): readonly ReadRange[] {
  const keys = new Map(
    read.map((each) => [`${each.range.from?.getTime()} ${each.range.to?.getTime()}`, each]),
  );
  return read.filter((each) => [...keys.values()].includes(each));
}
