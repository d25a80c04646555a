import { DateTime, Info } from 'luxon';
import { readWithinLimits } from '../../limits.ts';
import { notUnderstood } from '../../moment.ts';
import { wallClockAt } from '../../zones/wall-clock.ts';
import { findZoneWords } from '../../zones/zone-words.ts';
import type { Question } from '../question.ts';
import { correctText, prepareText } from '../question.ts';
import { plainLetters, readingLexicons } from '../words/reading-lexicon.ts';
import type { Range, RangeReading } from './range.ts';
import { rangeOf, renderRange } from './range.ts';
import { type ReadStretch, readRange } from './read-range.ts';

/** More candidates would be a list, not a question. */
const MAX_CANDIDATES = 4;

/** Understands a text as one stretch of time. Never throws. */
export function understandRange(question: Question): RangeReading {
  const { text, locale = 'en-US' } = question;
  const examples = readingLexicons(locale)[0]?.words.examples.ranges ?? [];
  const tooLong = (reason: string) => ({ ...notUnderstood('', reason), examples });
  return readWithinLimits({ text, tooLong }, () => readWhole(question, examples));
}

function readWhole(question: Question, examples: readonly string[]): RangeReading {
  const { text, locale = 'en-US' } = question;
  const prepared = prepareText(text, locale);
  const found = onceEach(readRanges(prepared, question));
  if (found.length > 0) return answer(found, question, []);
  const corrected = correctText(prepared, locale);
  const meant = corrected === undefined ? [] : onceEach(readRanges(corrected.text, question));
  if (meant.length > 0) return answer(meant, question, corrected?.notes ?? []);
  return { ...notUnderstood(prepared, 'I don’t know this range of dates.'), examples };
}

function answer(found: readonly ReadRange[], question: Question, slips: readonly string[]): RangeReading {
  const readings = found.map(({ range }) => ({ range, text: renderRange(range, question) }));
  const notes = [...new Set([...slips, ...found.flatMap((each) => each.notes)])];
  const [only] = readings;
  if (only !== undefined && readings.length === 1) return { kind: 'understood', ...only, notes };
  return { kind: 'ambiguous', candidates: readings.slice(0, MAX_CANDIDATES), notes };
}

/** A reading in wall time, and as instants. */
export interface ReadRange extends ReadStretch {
  range: Range;
}

/** All ranges that a prepared text can mean, in each zone that it can name. The likeliest is first. */
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
      firstWeekday: firstWeekdayIn(locale),
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

/** False for "99999999999 days" from now. */
function isOnCalendar({ from, to }: Range): boolean {
  return [from, to].every((end) => end === undefined || !Number.isNaN(end.getTime()));
}

function onceEach(read: readonly ReadRange[]): readonly ReadRange[] {
  const byEnds = read.map(
    (each) => [`${each.range.from?.getTime()} ${each.range.to?.getTime()}`, each] as const,
  );
  return [...new Map(byEnds).values()];
}

/** The locale's first weekday (ISO, 1 is Monday): Sunday in the United States. Defaults to Monday. */
function firstWeekdayIn(locale: string): number {
  try {
    return Info.getStartOfWeek({ locale: locale.replaceAll('_', '-') });
  } catch {
    return 1;
  }
}
