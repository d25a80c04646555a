import type { Question } from '../question.ts';
import type { ClosedStretch } from '../ranges/range.ts';
import { readRanges } from '../ranges/understand-range.ts';
import { anywhere, fromTemplates, perLanguage, type ReadingLexicon } from '../words/reading-lexicon.ts';
import type { CountedUnit } from '../words/reading-words.ts';
import type { Recurrence } from './recurrence.ts';
import { exceptsWeekdays, isWeekdayRange } from './repeated-weekdays.ts';

/** The limits of a recurrence, and the other words. `lasting` is counted from its start. */
export interface FoundLimits {
  limits: Pick<Recurrence, 'start' | 'until' | 'count' | 'except'>;
  lasting?: { size: number; unit: CountedUnit };
  rest: string;
}

type Side = 'until' | 'from' | 'except';

const DAY_MS = 86_400_000;
const MAX_COUNT = 1_000;

const patternsOf = perLanguage((lexicon) => {
  const { words, gap } = lexicon;
  const before = (pattern: string): RegExp => new RegExp(`${anywhere(lexicon, pattern).source}${gap}`, 'i');
  return {
    until: before(words.edges.until),
    from: before(words.edges.from),
    except: before(words.repeats.except),
    count: anywhere(lexicon, fromTemplates(lexicon, words.repeats.count)),
    lasting: anywhere(lexicon, fromTemplates(lexicon, words.repeats.lasting)),
  };
});

/** Finds "until march", "from 1 dec", "except 25 dec", "10 times" and "for 3 weeks" in text without accents. */
export function findLimits(
  text: string,
  lexicon: ReadingLexicon,
  { question, maxDateWords }: { question: Question; maxDateWords: number },
): FoundLimits {
  const patterns = patternsOf(lexicon);
  const count = findCount(text, patterns.count, lexicon);
  let rest = count?.rest ?? text;
  const read = (side: Side) => {
    const found = findDates(rest, patterns[side], lexicon, { question, side, maxDateWords });
    rest = found?.rest ?? rest;
    return found?.dates;
  };
  const until = read('until');
  const from = read('from');
  const except = read('except');
  const last = until ?? (from !== undefined && from.to.wall < Number.POSITIVE_INFINITY ? from : undefined);
  const limits = {
    ...(count && { count: count.size }),
    ...(from && { start: dateOf(from.from.wall) }),
    ...(last && { until: dateOf(last.to.wall) }),
    ...(except && { except: [{ from: dateOf(except.from.wall), to: dateOf(except.to.wall) }] }),
  };
  const { size = 0, unit, rest: others } = findCount(rest, patterns.lasting, lexicon) ?? {};
  return unit === undefined ? { limits, rest } : { limits, lasting: { size, unit }, rest: others ?? rest };
}

/** The number of a pattern, its unit, and the other words. */
function findCount(text: string, pattern: RegExp, lexicon: ReadingLexicon) {
  const found = pattern.exec(text);
  const size = lexicon.numberOf(found?.groups?.count) ?? 0;
  if (found === null || size < 1 || size > MAX_COUNT) return undefined;
  return { size, unit: lexicon.units.meaningOf(found.groups?.unit), rest: text.replace(found[0], ' ') };
}

/** The whole days after a word such as "until", and the other words. */
function findDates(
  text: string,
  pattern: RegExp,
  lexicon: ReadingLexicon,
  { question, side, maxDateWords }: { question: Question; side: Side; maxDateWords: number },
): { dates: ClosedStretch; rest: string } | undefined {
  const found = pattern.exec(text);
  if (found === null || isWeekdayRange(text, found.index, lexicon)) return undefined;
  if (side === 'except' && exceptsWeekdays(text, lexicon)) return undefined;
  const words = text.slice(found.index + found[0].length).split(' ');
  for (let count = Math.min(words.length, maxDateWords); count > 0; count -= 1) {
    const phrase = words.slice(0, count).join(' ');
    const [first] = readRanges(side === 'except' ? phrase : `${found[0]}${phrase}`, question, true);
    const dates = first && wholeDaysIn(first.stretch, side);
    if (dates === undefined) continue;
    return { dates, rest: `${text.slice(0, found.index)} ${words.slice(count).join(' ')}` };
  }
  return undefined;
}

/** Open ends are infinite. Undefined if an end has a time. */
function wholeDaysIn({ from, to }: Partial<ClosedStretch>, side: Side): ClosedStretch | undefined {
  if (from !== undefined && from.wall % DAY_MS !== 0) return undefined;
  if (to !== undefined && to.wall % DAY_MS !== DAY_MS - 1) return undefined;
  if (side === 'until' ? to === undefined : from === undefined) return undefined;
  if (side === 'except' && to === undefined) return undefined;
  return { from: from ?? { wall: Number.NEGATIVE_INFINITY }, to: to ?? { wall: Number.POSITIVE_INFINITY } };
}

function dateOf(wall: number): string {
  return new Date(wall).toISOString().slice(0, 10);
}
