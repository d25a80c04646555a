import { DateTime } from 'luxon';
import { type Expression, saysTimeOnly } from '../../expression.ts';
import { PARTS_OF_DAY } from '../../grammar/piece.ts';
import { readWords } from '../../grammar/read-words.ts';
import { readWithinLimits } from '../../limits.ts';
import type { NotUnderstood } from '../../moment.ts';
import { notUnderstood } from '../../moment.ts';
import { candidateMinutes } from '../../policy/candidates.ts';
import { sayMinute } from '../../policy/default-times.ts';

interface RepeatedTimes {
  kind: 'times';
  /** Minutes of the day, the likeliest first. */
  minutes: readonly number[];
  /** A part of the day was named: the morning, the night. */
  hasPart: boolean;
  notes: readonly string[];
}

/** When nothing is said: the hour at which people begin. */
const DEFAULT_MINUTE = 9 * 60;
const DAY = 24 * 60;

/** A time of the day is the same on every day: which one it is read on plays no part. */
const ANY_DAY = DateTime.utc(2000, 1, 1);

/** The times of the day that the words can mean if they say one and nothing else; 09:00 where they say nothing. */
export function repeatedTimes(words: string, locale: string): RepeatedTimes | NotUnderstood {
  return readWithinLimits<RepeatedTimes | NotUnderstood>(
    { text: words, tooLong: (reason) => notUnderstood('', reason) },
    () => timesIn(words, locale),
  );
}

function timesIn(words: string, locale: string): RepeatedTimes | NotUnderstood {
  if (/^[\s,.;:!-]*$/.test(words)) return assumed(DEFAULT_MINUTE, false);
  const read = readWords(words, ANY_DAY, { locale });
  if (read.kind === 'not-understood') return read;
  const times = read.expressions.filter(saysTimeOnly);
  const [first] = times;
  if (first === undefined) return notUnderstood(words, 'That’s not a time of day.');
  if (first.time === undefined)
    return assumed(first.part === undefined ? DEFAULT_MINUTE : PARTS_OF_DAY[first.part] * 60, true);
  const minutes = [...new Set(times.flatMap(minutesOf))];
  return { kind: 'times', minutes, hasPart: first.part !== undefined, notes: [] };
}

function minutesOf(expression: Expression): readonly number[] {
  return expression.time === undefined
    ? []
    : candidateMinutes(expression.time, expression).map((minute) => minute % DAY);
}

function assumed(minute: number, hasPart: boolean): RepeatedTimes {
  return { kind: 'times', minutes: [minute], hasPart, notes: [`No time given: ${sayMinute(minute)}.`] };
}
