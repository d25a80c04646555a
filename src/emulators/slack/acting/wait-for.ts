import type { Site } from '../site.ts';
import { ActingError } from './acting-error.ts';

export interface WaitOptions {
  /** Defaults to the workspace's `waitMs`. */
  timeoutMs?: number;
}

interface Expectation<T> extends WaitOptions {
  /** For the error: `a modal “Schedule a post”`. */
  description: string;
  /** Returns undefined while the person doesn't see it. */
  find: () => T | undefined;
  /** All that the person sees, for the error. */
  readVisible: () => string;
}

/**
 * Waits until the person sees something. Looks at once and after every change that the person can see. Rejects after the
 * timeout, with what is visible instead.
 */
export function waitFor<T>(
  site: Site,
  person: string,
  { description, find, readVisible, timeoutMs = site.waitMs }: Expectation<T>,
): Promise<T> {
  const found = find();
  if (found !== undefined) return Promise.resolve(found);
  const { promise, resolve, reject } = Promise.withResolvers<T>();
  const timer = setTimeout(() => {
    stopListening();
    const waited = `Waited ${timeoutMs / 1000} s for ${description}.`;
    reject(new ActingError('not_visible', waited, readVisible()));
  }, timeoutMs);
  const stopListening = site.audience.join(person, () => {
    const foundNow = find();
    if (foundNow === undefined) return;
    clearTimeout(timer);
    stopListening();
    resolve(foundNow);
  });
  return promise;
}
