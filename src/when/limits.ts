import { AsyncLocalStorage } from 'node:async_hooks';
import { tidyText } from './tidy-text.ts';

/** What one reading takes of a person's words. No moment, range or recurrence needs more; Slack's fields take 3,000. */

/** Of a line, in UTF-16 units, as Slack counts `max_length`. Its tidied form is held to the same. */
export const MAX_LINE_LENGTH = 200;

/** More posts at once are more likely a slip than a plan; nor can there be more lines. */
export const MAX_MOMENTS = 20;

/** Of a line. A list of days, times and zones has about 30; Japanese has no blanks and so one. */
export const MAX_WORDS = 60;

/** Of a zone's name, place or offset, in UTF-16 units; the longest that is known has 40. */
export const MAX_ZONE_LENGTH = 80;

/**
 * The steps of all readings of one request. A step takes about 5 µs of CPU time, warm. Steps are counted and time isn't
 * measured, so that a text has the same answer on a busy machine. Real phrases take up to 1,740, and recurrences as the
 * app writes them up to 2,000.
 * `npm run bench -- slow-texts` measures the time.
 */
export const MAX_STEPS = 2_400;

/** What the readings of one request share: their steps, and what they have read. */
export interface Limits {
  stepsLeft: number;
  charge: Charge | undefined;
}

/** Is told of all steps, before they are taken. What it throws ends the reading, and comes out of it. */
type Charge = (steps: number) => void;

/** Thrown and caught in this file alone. */
class OutOfSteps extends Error {}

/** The limits of the request in which something is read, so that forms needn't hand them on. */
const requests = new AsyncLocalStorage<Limits>();

/**
 * Runs `work`, and all that it awaits, on one step budget. Outside of it each reading has one of its own. Within
 * another, its steps are charged there too.
 */
export function withStepBudget<Result>(
  work: () => Result,
  charge: Charge | undefined = requests.getStore()?.charge,
): Result {
  return requests.run({ stepsLeft: MAX_STEPS, charge }, work);
}

/** Whether the request can read more, and so has read all that it was to read. */
export function hasStepsLeft(): boolean {
  return (requests.getStore()?.stepsLeft ?? MAX_STEPS) >= 0;
}

/** The steps that all of `work`, as one request, takes. */
export function stepsOf(work: () => unknown): number {
  const limits = { stepsLeft: MAX_STEPS, charge: undefined };
  requests.run(limits, work);
  return MAX_STEPS - limits.stepsLeft;
}

/** Charges steps before a text is read. Ends the reading if too few are left. */
export function takeSteps(limits: Limits, count: number): void {
  limits.charge?.(count);
  limits.stepsLeft -= count;
  if (limits.stepsLeft < 0) throw new OutOfSteps();
}

/**
 * A cache that lasts as long as a request, which can't fill it with more than its steps suffice to read: the same
 * words, read the same way, are read once.
 */
export function oncePerRequest<Reading>(): (limits: Limits, key: string, read: () => Reading) => Reading {
  const readings = new WeakMap<Limits, Map<string, { reading: Reading }>>();
  return (limits, key, read) => {
    const known = readings.get(limits) ?? new Map<string, { reading: Reading }>();
    if (known.size === 0) readings.set(limits, known);
    const found = known.get(key);
    if (found !== undefined) return found.reading;
    const reading = read();
    known.set(key, { reading });
    return reading;
  };
}

/** The words, and what to answer where they are too long; the reason is a sentence for people. */
interface Limited<Reading> {
  text: string;
  /** Defaults to 1; several only for lists of moments. */
  maxLines?: number;
  tooLong: (reason: string) => Reading;
}

/**
 * The way in for everything that people write: nothing of it is parsed before its length is known, nor more than a
 * request's steps suffice for. Readings within a reading get its limits, and don't come in here.
 */
export function readWithinLimits<Reading>(
  { text, maxLines = 1, tooLong }: Limited<Reading>,
  read: (limits: Limits) => Reading,
): Reading {
  const reason = lengthProblem(text, maxLines);
  if (reason !== undefined) return tooLong(reason);
  try {
    return read(requests.getStore() ?? { stepsLeft: MAX_STEPS, charge: undefined });
  } catch (error) {
    if (error instanceof OutOfSteps) return tooLong('Too long to read. Use fewer words.');
    throw error;
  }
}

function lengthProblem(text: string, maxLines: number): string | undefined {
  const written = maxLines === 1 ? [text] : linesOf(text);
  if (maxLines > 1 && (text.length > (MAX_LINE_LENGTH + 1) * maxLines || written.length > maxLines))
    return `Too long: use at most ${maxLines} lines of ${MAX_LINE_LENGTH} characters each.`;
  // Blank lines are numbered as well, as in an editor.
  const lines = written.length > 1 ? text.split(/\r\n|\r|\n/) : written;
  const index = lines.findIndex((line) => lineProblem(line) !== undefined);
  const place = written.length > 1 ? ` in line ${index + 1}` : '';
  return index < 0 ? undefined : `Too long${place}: ${lineProblem(lines[index] ?? '')}`;
}

/** Those that say anything. */
export function linesOf(text: string): readonly string[] {
  return text.split(/[\r\n]+/).filter((line) => line.trim() !== '');
}

/** What to say after "Too long:". */
function lineProblem(line: string): string | undefined {
  if (line.length > MAX_LINE_LENGTH) return overBy(line.length);
  // Fewer characters than that can't have too many words. Beyond ASCII, one can stand for eighteen.
  if (line.length < 2 * MAX_WORDS && !/[^\0-\x7f]/.test(line)) return undefined;
  const tidy = tidyText(line);
  if (tidy.length > MAX_LINE_LENGTH) return overBy(tidy.length);
  return tidy.split(' ').length > MAX_WORDS ? `use at most ${MAX_WORDS} words.` : undefined;
}

function overBy(length: number): string {
  return `${length - MAX_LINE_LENGTH} over the limit of ${MAX_LINE_LENGTH} characters.`;
}
