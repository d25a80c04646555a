import type { AuditEntry } from './entry.ts';
import type { AuditRecord } from './record.ts';

/** Equal refusals of a member within this time are folded into one entry. Our own choice. */
const WINDOW_MS = 5 * 60_000;
/** Different refusals of a member in one window. Further ones are folded into a single entry. Our own choice. */
const MAX_DIFFERENT_REFUSALS = 20;
/** Open windows in memory. Beyond this number the oldest window is closed. */
const MAX_MEMBERS = 10_000;

/** The different refusals of one member since the window was opened. */
interface Window {
  workspace: string;
  /** Time on the monotonic clock, ms. */
  endsAt: number;
  /** `repeats`: how often the refusal was repeated after its first entry. */
  refusals: Map<string, { entry: AuditEntry; repeats: number }>;
}

/**
 * Wraps an audit record and folds repeated refusals, so that nobody can fill the record by pressing a button again and
 * again. The first refusal is recorded at once. When the member's window ends after five minutes, a second entry
 * records the number of repetitions. Entries with other decisions are always recorded. So are entries without a
 * reference, such as refusals by the poll.
 */
export function foldRepeats(
  record: AuditRecord,
  options: {
    /** Monotonic clock, ms. */
    clock: () => number;
    windowMs?: number;
    maxMembers?: number;
  },
): AuditRecord {
  const { clock, windowMs = WINDOW_MS, maxMembers = MAX_MEMBERS } = options;
  // By member, in the order in which the windows end.
  const windows = new Map<string, Window>();
  let timer: NodeJS.Timeout | undefined;

  const closeWindow = (key: string, { refusals }: Window): void => {
    windows.delete(key);
    for (const { entry, repeats } of refusals.values()) {
      if (repeats === 0) continue;
      const times = repeats === 1 ? 'once more' : `${repeats} more times`;
      record.enqueue({ ...entry, target: entry.target === undefined ? times : `${entry.target}, ${times}` });
    }
  };

  const closeExpired = (): void => {
    timer = undefined;
    for (const [key, window] of windows) {
      if (clock() < window.endsAt) break;
      closeWindow(key, window);
    }
    scheduleClose();
  };

  const scheduleClose = (): void => {
    const [next] = windows.values();
    if (next) timer ??= setTimeout(closeExpired, Math.max(1, next.endsAt - clock())).unref();
  };

  const findOrOpenWindow = ({ workspace, actor }: AuditEntry): Window => {
    const member = JSON.stringify([workspace, actor]);
    const open = windows.get(member);
    if (open && clock() < open.endsAt) return open;
    if (open) closeWindow(member, open);
    const [oldest] = windows;
    if (oldest && windows.size >= maxMembers) closeWindow(...oldest);
    const window = { workspace, endsAt: clock() + windowMs, refusals: new Map() };
    windows.set(member, window);
    scheduleClose();
    return window;
  };

  /** Counts a refusal. Returns the entry to write now; undefined if the refusal is a repetition. */
  const foldEntry = (entry: AuditEntry): AuditEntry | undefined => {
    const isRefusal = entry.decision === 'refused' || entry.decision === 'not-checked';
    if (!isRefusal || entry.reference === undefined) return entry;
    const { workspace, actor, decision, reference } = entry;
    const { refusals } = findOrOpenWindow(entry);
    const isTooMany = refusals.size >= MAX_DIFFERENT_REFUSALS && !refusals.has(buildEntryKey(entry));
    const folded = isTooMany ? { workspace, actor, action: 'other requests', decision, reference } : entry;
    const earlier = refusals.get(buildEntryKey(folded));
    if (!earlier) {
      refusals.set(buildEntryKey(folded), { entry: folded, repeats: 0 });
      return folded;
    }
    earlier.repeats += 1;
    return undefined;
  };

  return {
    async add(entry) {
      const entryToWrite = foldEntry(entry);
      if (entryToWrite) await record.add(entryToWrite);
    },
    enqueue(entry) {
      const entryToWrite = foldEntry(entry);
      if (entryToWrite) record.enqueue(entryToWrite);
    },
    async flush(onlyWorkspace) {
      for (const [key, window] of windows) {
        if (onlyWorkspace === undefined || window.workspace === onlyWorkspace) closeWindow(key, window);
      }
      await record.flush(onlyWorkspace);
    },
    stop() {
      clearTimeout(timer);
      return record.stop();
    },
  };
}

function buildEntryKey({ action, project, target, decision }: AuditEntry): string {
  return JSON.stringify([action, project, target, decision]);
}
