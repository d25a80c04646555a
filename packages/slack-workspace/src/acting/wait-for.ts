import type { Site } from '../site.ts';
import type { ActingError } from './acting-error.ts';

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
