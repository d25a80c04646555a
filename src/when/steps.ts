import { AsyncLocalStorage } from 'node:async_hooks';
import { MAX_STEPS } from './limits.ts';

/** Whose steps are counted together. */
interface WordsRequest {
  stepsLeft: number;
  charge: Charge | undefined;
}

/** Is told of all steps, before they are taken; what it throws ends the reading, and comes out of it. */
type Charge = (steps: number) => void;

/** Thrown and caught in this file alone. */
class OutOfSteps extends Error {}

const requests = new AsyncLocalStorage<WordsRequest>();

/** Readings are synchronous, so at most one request is reading at any moment. */
let current: WordsRequest | undefined;

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

/** The steps that all of `work`, as one request, takes. */
export function stepsOf(work: () => unknown): number {
  const request = { stepsLeft: MAX_STEPS, charge: undefined };
  requests.run(request, work);
  return MAX_STEPS - request.stepsLeft;
}

/** What `read` returns, or `tooLong` where the request's steps don't suffice. A reading within another is part of it. */
export function withinSteps<Reading>(read: () => Reading, tooLong: () => Reading): Reading {
  if (current !== undefined) return read();
  current = requests.getStore() ?? { stepsLeft: MAX_STEPS, charge: undefined };
  try {
    return read();
  } catch (error) {
    if (error instanceof OutOfSteps) return tooLong();
    throw error;
  } finally {
    current = undefined;
  }
}

/** Takes the steps for what is about to be read. Ends the reading where so many are not left. */
export function takeSteps(count: number): void {
  if (current === undefined) return;
  current.charge?.(count);
  current.stepsLeft -= count;
  if (current.stepsLeft < 0) throw new OutOfSteps();
}

/**
 * A cache that lasts as long as a request, which can't fill it with more than its steps suffice to read: the same
 * words, read the same way, are read once.
 */
export function oncePerRequest<Reading>(): (key: string, read: () => Reading) => Reading {
  const readings = new WeakMap<WordsRequest, Map<string, { reading: Reading }>>();
  return (key, read) => {
    if (current === undefined) return read();
    const known = readings.get(current) ?? new Map<string, { reading: Reading }>();
    readings.set(current, known);
    const found = known.get(key) ?? { reading: read() };
    known.set(key, found);
    return found.reading;
  };
}
