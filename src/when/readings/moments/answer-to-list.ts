import type { Moment } from '../../moment.ts';
import { wallClockAt } from '../../zones/wall-clock.ts';
import type { BoundedMoments } from './bounded-moments.ts';
import type { ListedMoment } from './listed-moments.ts';
import type { FaultyMoment, MomentsReading, NamedMoment } from './moments.ts';

const DAY_MS = 86_400_000;

/** What to say to all that was read, line by line. */
export function answerTo(lines: readonly BoundedMoments[]): MomentsReading {
  const [first] = lines;
  const notes = lines.flatMap((line) => line.notes);
  // Lists to choose from in one line of several are told as they are likeliest.
  if (lines.length === 1 && first !== undefined && first.lists.length > 1) {
    const candidates = first.lists
      .map((list) => sorted(understoodIn(list)).moments)
      .filter((list) => list.length > 0);
    if (candidates.length > 1) return { kind: 'ambiguous', candidates, notes };
  }
  const items = lines.flatMap((line) => line.lists[0] ?? []);
  const { moments, isShortened } = sorted(understoodIn(items));
  const all = isShortened ? [...notes, 'You entered the same time twice, so I used it once.'] : notes;
  const faults = items.flatMap(faultIn);
  if (faults.length === 0) return { kind: 'understood', moments, notes: all };
  const candidates = choicesFor(moments, faults);
  if (candidates.length > 1) return { kind: 'ambiguous', candidates, notes: [...all, ...notesOf(faults)] };
  return { kind: 'faulty', moments, faults, notes: all };
}

function understoodIn(items: readonly ListedMoment[]): readonly NamedMoment[] {
  return items.flatMap(({ words, reading }) =>
    reading.kind === 'understood' ? [{ moment: reading.moment, words, notes: reading.notes }] : [],
  );
}

function faultIn({ words, reading }: ListedMoment): readonly FaultyMoment[] {
  return reading.kind === 'understood' ? [] : [{ words, reading }];
}

function notesOf(faults: readonly FaultyMoment[]): readonly string[] {
  const notes = faults.flatMap(({ reading }) => (reading.kind === 'ambiguous' ? reading.notes : []));
  return [...new Set(notes)];
}

/** Earliest first, and each instant once. */
function sorted(moments: readonly NamedMoment[]): { moments: readonly NamedMoment[]; isShortened: boolean } {
  const byInstant = new Map<number, NamedMoment>();
  for (const each of moments) {
    const instant = each.moment.instant.getTime();
    if (!byInstant.has(instant)) byInstant.set(instant, each);
  }
  const once = [...byInstant.entries()].sort(([a], [b]) => a - b).map(([, each]) => each);
  return { moments: once, isShortened: once.length < moments.length };
}

/** What candidates of one question have in common with those of another: the time that they show, or the zone. */
const ANSWERS: readonly ((moment: Moment) => string)[] = [
  ({ instant, zone }) => String(wallClockAt(instant.getTime(), zone) % DAY_MS),
  ({ zone }) => zone,
];

/** One list for each answer where all faults are the same question; none where they are not. */
function choicesFor(
  moments: readonly NamedMoment[],
  faults: readonly FaultyMoment[],
): readonly (readonly NamedMoment[])[] {
  const questions = faults.map(({ words, reading }) => ({
    words,
    candidates: reading.kind === 'ambiguous' ? reading.candidates : [],
  }));
  const [first] = questions;
  if (first === undefined || questions.some(({ candidates }) => candidates.length === 0)) return [];
  const withAll = (chosen: readonly NamedMoment[]) => sorted([...moments, ...chosen]).moments;
  const named = (words: string, moment: Moment): NamedMoment => ({ moment, words, notes: [] });
  if (questions.length === 1) return first.candidates.map((each) => withAll([named(first.words, each)]));
  for (const answerOf of ANSWERS) {
    const answers = first.candidates.map(answerOf);
    const isSame = questions.every(({ candidates }) => isSameSet(candidates.map(answerOf), answers));
    if (!isSame) continue;
    return answers.map((answer) =>
      withAll(
        questions.flatMap(({ words, candidates }) =>
          candidates.filter((each) => answerOf(each) === answer).map((each) => named(words, each)),
        ),
      ),
    );
  }
  return [];
}

/** The same answers, each once. */
function isSameSet(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && new Set([...a, ...b]).size === a.length;
}
