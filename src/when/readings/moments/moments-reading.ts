import type { Moment, MomentReading, NotUnderstood } from '../../moment.ts';
import { wallClockAt } from '../../zones/wall-clock.ts';
import type { BoundedMoments } from './bounded-moments.ts';
import type { ListedMoment } from './listed-moments.ts';

/** One of several moments, with its words and notes about what was assumed. */
export interface NamedMoment {
  moment: Moment;
  words: string;
  notes: readonly string[];
  /** Whether the words say "now". The moment is the current minute. */
  isNow?: true;
}

/** Words of a list that are no single future moment, and why. */
export interface FaultyMoment {
  words: string;
  reading: Exclude<MomentReading, { kind: 'understood' | 'now' }>;
}

/**
 * At most 20 moments, the earliest first, each once. `notes` are about all of them.
 *
 *   understood      one or more moments
 *   ambiguous       one question about the whole list ("mon and tue at 9"): lists to choose from, the likeliest first
 *   faulty          some words are no future moment: `moments` has the others
 *   not-understood  no list of moments
 */
export type MomentsReading =
  | { kind: 'understood'; moments: readonly NamedMoment[]; notes: readonly string[] }
  | { kind: 'ambiguous'; candidates: readonly (readonly NamedMoment[])[]; notes: readonly string[] }
  | {
      kind: 'faulty';
      moments: readonly NamedMoment[];
      faults: readonly FaultyMoment[];
      notes: readonly string[];
    }
  | NotUnderstood;

const DAY_MS = 86_400_000;

export function answerTo(lines: readonly BoundedMoments[]): MomentsReading {
  const [first] = lines;
  const notes = lines.flatMap((line) => line.notes);
  // Among several lines, the likeliest list of a line is taken.
  if (lines.length === 1 && first !== undefined && first.lists.length > 1) {
    const lists = first.lists.map((list) => sorted(understoodIn(list)));
    const candidates = lists.filter((list) => list.length > 0);
    if (candidates.length > 1) return { kind: 'ambiguous', candidates, notes };
  }
  const items = lines.flatMap((line) => line.lists[0] ?? []);
  const understood = understoodIn(items);
  const moments = sorted(understood);
  const isTwice = moments.length < understood.length;
  const all = isTwice ? [...notes, 'You entered the same time twice, so I used it once.'] : notes;
  const faults = items.flatMap(({ words, reading }) =>
    reading.kind === 'understood' || reading.kind === 'now' ? [] : [{ words, reading }],
  );
  if (faults.length === 0) return { kind: 'understood', moments, notes: all };
  const candidates = choicesFor(moments, faults);
  if (candidates.length < 2) return { kind: 'faulty', moments, faults, notes: all };
  const asked = faults.flatMap(({ reading }) => (reading.kind === 'ambiguous' ? reading.notes : []));
  return { kind: 'ambiguous', candidates, notes: [...all, ...new Set(asked)] };
}

function understoodIn(items: readonly ListedMoment[]): readonly NamedMoment[] {
  return items.flatMap(({ words, reading }) => {
    if (reading.kind === 'now') return [{ moment: reading.moment, words, notes: [], isNow: true }];
    return reading.kind === 'understood' ? [{ moment: reading.moment, words, notes: reading.notes }] : [];
  });
}

function sorted(moments: readonly NamedMoment[]): readonly NamedMoment[] {
  const inOrder = moments.toSorted((a, b) => +a.moment.instant - +b.moment.instant);
  return inOrder.filter(
    ({ moment }, index) => +moment.instant !== +(inOrder[index - 1]?.moment.instant ?? Number.NaN),
  );
}

/** Answers that can apply to several faults: a time of day, or a zone. */
const ANSWERS: readonly ((moment: Moment) => string)[] = [
  ({ instant, zone }) => String(wallClockAt(instant.getTime(), zone) % DAY_MS),
  ({ zone }) => zone,
];

/** One list for each answer if all faults are the same question; otherwise none. */
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
  const withChosen = (isChosen: (moment: Moment) => boolean) => {
    const chosen = questions.flatMap(({ words, candidates }) =>
      candidates.filter(isChosen).map((moment) => ({ moment, words, notes: [] })),
    );
    return sorted([...moments, ...chosen]);
  };
  if (questions.length === 1) return first.candidates.map((own) => withChosen((each) => each === own));
  for (const answerOf of ANSWERS) {
    const answers = first.candidates.map(answerOf);
    if (questions.every(({ candidates }) => isSameSet(candidates.map(answerOf), answers)))
      return answers.map((answer) => withChosen((each) => answerOf(each) === answer));
  }
  return [];
}

/** Whether both have the same answers, each once. */
function isSameSet(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && new Set([...a, ...b]).size === a.length;
}
