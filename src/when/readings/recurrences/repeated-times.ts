import { DateTime } from 'luxon';
import { saysTimeOnly } from '../../expression.ts';
import { PARTS_OF_DAY } from '../../grammar/piece.ts';
import { type ReadOptions, readWords } from '../../grammar/read-words.ts';
import { readWithinLimits } from '../../limits.ts';
import { type NotUnderstood, notUnderstood } from '../../moment.ts';
import { candidateMinutes, DAY_MINUTES, sayMinute } from '../../policy/minutes.ts';
import { perLanguage, readingLexicons } from '../question.ts';

interface RepeatedTimes {
  kind: 'times';
  /** Minutes of the day, the likeliest first. */
  minutes: readonly number[];
  hasPart: boolean;
  notes: readonly string[];
}

/** Several times of a day. The likeliest candidate is first, and its minutes are in order. */
interface TimesOfDay extends Omit<RepeatedTimes, 'minutes'> {
  candidates: readonly (readonly number[])[];
}

/** The time of a recurrence without a time. */
const DEFAULT_MINUTE = 9 * 60;

const MAX_TIMES = 6;

/** Times are the same on every day, so any will do. */
const ANY_DAY = DateTime.utc(2000, 1, 1);

/** Understands a text as one time of the day. Defaults to 09:00 for a text without words. */
export function repeatedTimes(words: string, locale: string): RepeatedTimes | NotUnderstood {
  return readWithinLimits<RepeatedTimes | NotUnderstood>(
    { text: words, tooLong: (reason) => notUnderstood('', reason) },
    (limits) => timesIn(words, { locale, limits }),
  );
}

/** Of the locale's language and English, because people mix them: "daily um 9 und 17 Uhr". */
const separators = perLanguage(
  (locale: string) =>
    new RegExp(
      readingLexicons(locale)
        .map(({ between }) => between)
        .join('|'),
      'i',
    ),
);

/** Understands text without accents as one or several times of the day: "at 9 and 17", "8am, noon and 5pm". */
export function timesOfDay(words: string, options: ReadOptions): TimesOfDay | NotUnderstood {
  const pieces = words.split(separators(options.locale)).filter((piece) => piece.trim() !== '');
  if (pieces.length > MAX_TIMES) return notUnderstood(words, 'That’s too many times.');
  const times: RepeatedTimes[] = [];
  for (const piece of pieces.length < 2 ? [pieces.join(' ')] : pieces) {
    const text = piece.trim();
    const read = timesIn(pieces.length > 1 && /^\d{1,2}$/.test(text) ? `at ${text}` : text, options);
    if (read.kind === 'not-understood') {
      // "Neuf heures et quart" is one time.
      const whole = pieces.length > 1 ? timesIn(words.trim(), options) : read;
      return whole.kind === 'times' ? { ...whole, candidates: combineTimes([whole.minutes]) } : read;
    }
    times.push(read);
  }
  return {
    kind: 'times',
    candidates: combineTimes(times.map(({ minutes }) => minutes)),
    hasPart: times.some(({ hasPart }) => hasPart),
    notes: times.flatMap(({ notes }) => notes),
  };
}

/** "9 and 5" is 09:00 and 17:00, because people name times in order. */
function combineTimes(times: readonly (readonly number[])[]): readonly (readonly number[])[] {
  let combinations: readonly (readonly number[])[] = [[]];
  for (const minutes of times)
    combinations = combinations.flatMap((earlier) => minutes.map((minute) => [...earlier, minute]));
  const inOrder = combinations.filter((minutes) =>
    minutes.every((minute, i) => minute > (minutes[i - 1] ?? -1)),
  );
  if (inOrder.length === 0) return [[...new Set(combinations[0])].sort((a, b) => a - b)];
  // With several times, the likeliest and the last candidate are all mornings or all evenings.
  return times.length < 2 ? inOrder : inOrder.filter((_, i) => i === 0 || i === inOrder.length - 1);
}

function timesIn(words: string, options: ReadOptions): RepeatedTimes | NotUnderstood {
  if (/^[\s,.;:!-]*$/.test(words)) return assumed(DEFAULT_MINUTE, false);
  const read = readWords(words, ANY_DAY, options);
  if (read.kind === 'not-understood') return read;
  const times = read.expressions.filter(saysTimeOnly);
  const [first] = times;
  if (first === undefined) return notUnderstood(words, 'That’s not a time of day.');
  if (first.time === undefined)
    return assumed(
      first.part === undefined ? DEFAULT_MINUTE : PARTS_OF_DAY[first.part].hour * 60,
      true,
      read.notes,
    );
  const minutes = times.flatMap((each) =>
    each.time === undefined ? [] : candidateMinutes(each.time, each, () => true),
  );
  const ofDay = [...new Set(minutes.map((minute) => minute % DAY_MINUTES))];
  const [earliest = 0] = minutes;
  // "Every friday night at 1" repeats on Fridays.
  const ofNight =
    earliest < DAY_MINUTES ? [] : [`${sayMinute(earliest % DAY_MINUTES)} on the day itself, not the next.`];
  const notes = [...read.notes, ...ofNight];
  return { kind: 'times', minutes: ofDay, hasPart: first.part !== undefined, notes };
}

function assumed(minute: number, hasPart: boolean, notes: readonly string[] = []): RepeatedTimes {
  const ofTime = `No time given: ${sayMinute(minute)}.`;
  return { kind: 'times', minutes: [minute], hasPart, notes: [...notes, ofTime] };
}
