import { isDatabaseDown } from '../store/database-unavailable.ts';

/**
 * Rows that this instance skips for a while, because it can't read them or their steps keep failing. The rows don't
 * change, so an instance of a newer version can claim them at once.
 */
export interface SetAside {
  /** Sets aside a row that can't be read. */
  add(id: string, error: unknown): void;
  /**
   * Records a failed step, and sets the row aside after the second one: the first may be chance, such as a broken
   * connection. Doesn't count failures of a database that is down.
   */
  recordFailure(id: string, error: unknown): void;
  /** The rows that scans skip now. */
  ids(): string[];
}

/** Our own choice: long enough to keep the log readable, short enough to notice a repair. */
const SET_ASIDE_MS = 5 * 60_000;

/** `now` returns ms. `onAdded` is called each time a row is set aside. */
export function createSetAside(
  now: () => number,
  onAdded: (id: string, error: unknown) => void,
  setAsideMs = SET_ASIDE_MS,
): SetAside {
  const until = new Map<string, number>();
  const failedAt = new Map<string, number>();

  const add = (id: string, error: unknown) => {
    if (until.has(id)) return;
    until.set(id, now() + setAsideMs);
    onAdded(id, error);
  };
  return {
    add,
    recordFailure(id, error) {
      if (isDatabaseDown(error)) return;
      for (const [other, at] of failedAt) if (now() - at > 2 * setAsideMs) failedAt.delete(other);
      const isSecond = failedAt.has(id);
      failedAt.set(id, now());
      if (isSecond) add(id, error);
    },
    ids() {
      for (const [id, at] of until) if (at <= now()) until.delete(id);
      return [...until.keys()];
    },
  };
}
