import { MAX_LINE_LENGTH, MAX_WORDS } from './limits.ts';
import { withinSteps } from './steps.ts';
import { tidyText } from './tidy-text.ts';

/** The words, and what to answer where they are too long; the reason is a sentence for people. */
interface Limited<Reading> {
  text: string;
  /** Defaults to 1; several only for lists of moments. */
  maxLines?: number;
  tooLong: (reason: string) => Reading;
}

/**
 * The way in for everything that people write: nothing of it is parsed before its length is known, nor more than a
 * request's steps suffice for.
 */
export function readWithinLimits<Reading>(
  { text, maxLines = 1, tooLong }: Limited<Reading>,
  read: () => Reading,
): Reading {
  const reason = lengthProblem(text, maxLines);
  return reason === undefined
    ? withinSteps(read, () => tooLong('Too long to read. Use fewer words.'))
    : tooLong(reason);
}

function lengthProblem(text: string, maxLines: number): string | undefined {
  if (maxLines === 1) return prefixed('Too long', lineProblem(text));
  const tooMany = `Too long: use at most ${maxLines} lines of ${MAX_LINE_LENGTH} characters each.`;
  if (text.length > (MAX_LINE_LENGTH + 1) * maxLines) return tooMany;
  const lines = linesOf(text);
  if (lines.length > maxLines) return tooMany;
  if (lines.length === 1) return prefixed('Too long', lineProblem(lines[0] ?? ''));
  // Blank lines count as well: so an editor numbers them.
  return text
    .split(/\r\n|\r|\n/)
    .map((line, index) => prefixed(`Too long in line ${index + 1}`, lineProblem(line)))
    .find((problem) => problem !== undefined);
}

function prefixed(start: string, problem: string | undefined): string | undefined {
  return problem === undefined ? undefined : `${start}: ${problem}`;
}

/** Those that say anything. */
export function linesOf(text: string): readonly string[] {
  return text.split(/[\r\n]+/).filter((line) => line.trim() !== '');
}

/** What to say after "Too long:". */
function lineProblem(line: string): string | undefined {
  if (line.length > MAX_LINE_LENGTH) return overBy(line.length);
  // One character can stand for eighteen.
  const tidy = tidyText(line);
  if (tidy.length > MAX_LINE_LENGTH) return overBy(tidy.length);
  return tidy.split(' ').length > MAX_WORDS ? `use at most ${MAX_WORDS} words.` : undefined;
}

function overBy(length: number): string {
  return `${length - MAX_LINE_LENGTH} over the limit of ${MAX_LINE_LENGTH} characters.`;
}
