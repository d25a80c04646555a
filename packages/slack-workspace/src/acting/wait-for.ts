import type { Site } from '../site.ts';
import { ActingError } from './acting-error.ts';

export interface WaitOptions {
  /** Defaults to the workspace's `waitMs`. */
  timeoutMs?: number;
}

interface Wait<T> extends WaitOptions {
  /** Returns undefined until the wait is over. */
  find: () => T | undefined;
  /** The error after the timeout. `waited`: `Waited 1 s`. */
  createError: (waited: string) => ActingError;
}

/** Checks at once, and after each message to this person's page. Rejects after the timeout. */
export function waitUntil<T>(
  site: Site,
  person: string,
  { find, createError, timeoutMs = site.waitMs }: Wait<T>,
): Promise<T> {
  const found = find();
  if (found !== undefined) return Promise.resolve(found);
  const { promise, resolve, reject } = Promise.withResolvers<T>();
  const timer = setTimeout(() => {
    stopListening();
    reject(createError(`Waited ${timeoutMs / 1000} s`));
  }, timeoutMs);
  const stopListening = site.audience.subscribe(person, () => {
    const foundNow = find();
    if (foundNow === undefined) return;
    clearTimeout(timer);
    stopListening();
    resolve(foundNow);
  });
  return promise;
}

interface Expectation<T> extends WaitOptions {
  /** For the error: `a modal “Schedule a post”`. */
  description: string;
  /** Returns undefined while the person doesn't see it. */
  find: () => T | undefined;
  /** All that the person sees, for the error. */
  readVisible: () => string;
}

/** Waits until the person sees something. Rejects after the timeout, with what is visible instead. */
export function waitFor<T>(
  site: Site,
  person: string,
  { description, readVisible, ...waiting }: Expectation<T>,
): Promise<T> {
  return waitUntil(site, person, {
    ...waiting,
    createError: (waited) => new ActingError('not_visible', `${waited} for ${description}.`, readVisible()),
  });
}
