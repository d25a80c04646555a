import type { Site } from '../site.ts';

/** A person waits this long for something to appear before a test says that it did not. */
const PATIENCE_MS = 10_000;

/**
 * Looks now and at every change that the person can see, until `look` finds something. Rejects at the deadline with
 * what was waited for and what was to be seen instead.
 */
export function until<T>(
  site: Site,
  person: string,
  waiting: { for: string; look: () => T | undefined; shown: () => string },
): Promise<T> {
  const found = waiting.look();
  if (found !== undefined) return Promise.resolve(found);
  const { promise, resolve, reject } = Promise.withResolvers<T>();
  const timer = setTimeout(() => {
    leave();
    reject(
      new Error(`Waited ${PATIENCE_MS / 1000} s for ${waiting.for}. To be seen was:\n${waiting.shown()}`),
    );
  }, PATIENCE_MS);
  const leave = site.audience.join(person, () => {
    const now = waiting.look();
    if (now === undefined) return;
    clearTimeout(timer);
    leave();
    resolve(now);
  });
  return promise;
}
