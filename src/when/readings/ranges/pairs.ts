import { spelled } from '../../grammar/european/spelling.ts';
import { perLanguage, type ReadingLexicon } from '../words/reading-lexicon.ts';
import { choosePair } from './choose-pair.ts';
import { type PairEnds, pairEnds } from './pair-ends.ts';
import { pointsIn } from './points.ts';
import type { ClosedStretch, Named, RangeContext } from './stretch.ts';

interface PairPatterns {
  opened: RegExp;
  between: RegExp;
  joints: RegExp;
  jointsOfBetween: RegExp;
}

const patternsOf = perLanguage(({ words, gap }): PairPatterns => {
  const { from, to, between } = words.edges;
  const dash = '\\s?(?:-+|~|〜|\\.\\.+|→|>)\\s?|(?<=\\d{4}-\\d\\d-\\d\\d)/(?=\\d{4})';
  const joint = `${gap}(?:${spelled(to)})${gap}|${dash}`;
  return {
    opened: new RegExp(`^(?<day>.*?)(?:^|,?\\s)(?:${spelled(from)})${gap}(?<rest>.+)$`, 'i'),
    between: new RegExp(`^(?<day>.*?)(?:^|,?\\s)(?:${spelled(between)})${gap}(?<rest>.+)$`, 'i'),
    joints: new RegExp(joint, 'gi'),
    jointsOfBetween: new RegExp(`${gap}(?:${spelled(words.and)})${gap}|${joint}`, 'gi'),
  };
});

/** Two ends may be joined at more than one place ("2026-12-01 - 2026-12-05"); more than this is no range. */
const MOST_JOINTS = 8;

/** Everything that words with two ends can mean: "from monday to friday", "1-5 december", "friday between 9 and 12". */
export function pairsIn(
  words: string,
  lexicon: ReadingLexicon,
  context: RangeContext,
): readonly ClosedStretch[] {
  const { opened, between, joints, jointsOfBetween } = patternsOf(lexicon);
  const inBetween = between.exec(words)?.groups;
  if (inBetween !== undefined)
    return joined({ ...inBetween, isOpened: true }, jointsOfBetween, lexicon, context);
  const fromWord = opened.exec(words)?.groups;
  const read =
    fromWord === undefined ? [] : joined({ ...fromWord, isOpened: true }, joints, lexicon, context);
  if (read.length > 0) return read;
  return joined({ day: '', rest: words, isOpened: false }, joints, lexicon, context);
}

interface PairWords {
  /** What stands before "from" or "between". */
  day?: string;
  rest?: string;
  /** "From 9 to 12" are hours, "9-12" alone could be anything. */
  isOpened: boolean;
}

function joined(
  { day = '', rest = '', isOpened }: PairWords,
  joints: RegExp,
  lexicon: ReadingLexicon,
  context: RangeContext,
): readonly ClosedStretch[] {
  const places = [...rest.matchAll(joints)].slice(0, MOST_JOINTS);
  const days = day === '' ? [undefined] : pointsIn(day, lexicon, context).map((point) => point.day);
  if (days.length === 0) return [];
  for (const { 0: joint, index } of places) {
    const first = rest.slice(0, index).trim();
    const last = rest.slice(index + joint.length).trim();
    const ends = pairEnds({ first, last, isOpened }, lexicon, context);
    const pair = onDay(days, ends, context);
    if (pair.length > 0) return pair;
  }
  return [];
}

/** Readings go together in their order: where "03/04" is in April, so is the "05/04" beside it. */
function onDay(
  days: readonly (Named | undefined)[],
  { first, last }: PairEnds,
  context: RangeContext,
): readonly ClosedStretch[] {
  const length = Math.max(days.length, first.length, last.length);
  const pairs = Array.from({ length }, (_, index) =>
    choosePair(
      { day: days[index] ?? days[0], first: first[index] ?? first[0], last: last[index] ?? last[0] },
      context,
    ),
  );
  return pairs.filter((pair) => pair !== undefined);
}
