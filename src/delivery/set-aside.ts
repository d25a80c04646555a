import { isDatabaseDown } from '../store/database-unavailable.ts';

/**
 * Rows that this instance leaves alone for a while, because it cannot read them or because their work keeps failing. The
 * rows themselves stay as they are, so that an instance of a newer version takes them at once.
 */
export interface SetAside {
  /** The row cannot be read. */
  add(id: string, error: unknown): void;
  /**
   * Its work failed. Once may be chance, such as a broken connection; the second time it is set aside. A database that is
   * down does not count.
   */
  failed(id: string, error: unknown): void;
  /** Those that look-ups leave out now. */
  ids(): string[];
}

/** Our own choice: long enough to keep the log readable, short enough to notice a repair. */
const SET_ASIDE_MS = 5 * 60_000;

/** `now` in ms; `onAdded` is called each time that a row is set aside. */
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
    failed(id, error) {
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
