import type { Entry } from './entry.ts';
import type { AccessRecord } from './record.ts';

/** Equal refusals of a member within this time are folded, ms. */
const WINDOW_MS = 5 * 60_000;
/** Different refusals of a member in one window. Further ones are folded into a single entry. */
const MAX_DIFFERENT = 20;
/** Open windows in memory. Beyond that the oldest window is closed. */
const MAX_MEMBERS = 10_000;

/** A member's refusals since the window began, with the number of repetitions of each. */
interface Window {
  workspace: string;
  until: number;
  entries: Map<string, { entry: Entry; again: number }>;
}

/**
 * Folds repeated refusals. The first one is recorded at once, and the number of repetitions when its window ends after
 * five minutes. The record stays accurate, and nobody can fill it by pressing a button again and again. Allowed and
 * done actions are always recorded. So are entries without a reference, such as refusals by the poll.
 */
export function foldRepeats(
  record: AccessRecord,
  options: {
    /** Monotonic clock, ms. */
    clock: () => number;
    windowMs?: number;
    maxMembers?: number;
  },
): AccessRecord {
  const { clock, windowMs = WINDOW_MS, maxMembers = MAX_MEMBERS } = options;
  // Ordered by their end.
  const windows = new Map<string, Window>();
  let timer: NodeJS.Timeout | undefined;

  const close = (key: string, { entries }: Window): void => {
    windows.delete(key);
    for (const { entry, again } of entries.values()) {
      if (again === 0) continue;
      const times = again === 1 ? 'once more' : `${again} more times`;
      record.enqueue({ ...entry, target: entry.target === undefined ? times : `${entry.target}, ${times}` });
    }
  };

  const closeExpired = (): void => {
    timer = undefined;
    for (const [key, window] of windows) {
      if (clock() < window.until) break;
      close(key, window);
    }
    scheduleClose();
  };

  const scheduleClose = (): void => {
    const [next] = windows.values();
    if (next) timer ??= setTimeout(closeExpired, Math.max(1, next.until - clock())).unref();
  };

  const windowOf = ({ workspace, actor }: Entry): Window => {
    const member = JSON.stringify([workspace, actor]);
    const open = windows.get(member);
    if (open && clock() < open.until) return open;
    if (open) close(member, open);
    const [oldest] = windows;
    if (oldest && windows.size >= maxMembers) close(...oldest);
    const window = { workspace, until: clock() + windowMs, entries: new Map() };
    windows.set(member, window);
    scheduleClose();
    return window;
  };

  /** The entry to write now; undefined if it only counts as a repetition. */
  const entryToWrite = (entry: Entry): Entry | undefined => {
    const isRefusal = entry.decision === 'refused' || entry.decision === 'not-checked';
    if (!isRefusal || entry.reference === undefined) return entry;
    const { workspace, actor, decision, reference } = entry;
    const { entries } = windowOf(entry);
    const isTooMany = entries.size >= MAX_DIFFERENT && !entries.has(keyOf(entry));
    const folded = isTooMany ? { workspace, actor, action: 'other requests', decision, reference } : entry;
    const before = entries.get(keyOf(folded));
    if (!before) {
      entries.set(keyOf(folded), { entry: folded, again: 0 });
      return folded;
    }
    before.again += 1;
    return undefined;
  };

  return {
    async add(entry) {
      const written = entryToWrite(entry);
      if (written) await record.add(written);
    },
    enqueue(entry) {
      const written = entryToWrite(entry);
      if (written) record.enqueue(written);
    },
    async flush(onlyWorkspace) {
      for (const [key, window] of windows) {
        if (onlyWorkspace === undefined || window.workspace === onlyWorkspace) close(key, window);
      }
      await record.flush(onlyWorkspace);
    },
    stop() {
      clearTimeout(timer);
      return record.stop();
    },
  };
}

function keyOf({ action, project, target, decision }: Entry): string {
  return JSON.stringify([action, project, target, decision]);
}
