import { MINUTE_MS } from '../../durations.ts';
import type { AuditEntry } from './entry.ts';
import type { AuditRecord } from './record.ts';

/** Identical refusals to one member within this time are folded into one entry. */
const WINDOW_MS = 5 * MINUTE_MS;
/** Maximum number of different refusals to one member in a window. Further refusals are folded into a single entry. */
const MAX_DIFFERENT_REFUSALS = 20;
/** Maximum number of open windows in memory, one per member. Beyond this number the oldest window is closed. */
const MAX_MEMBERS = 10_000;

/** The different refusals to one member since the window was opened. */
interface RefusalWindow {
  workspace: string;
  /** Time on the monotonic clock, ms. */
  endsAt: number;
  /** `repeats`: how often the refusal was repeated after its first entry. `lastAt`: when that last happened. */
  refusals: Map<string, { entry: AuditEntry; repeats: number; lastAt: Date }>;
}

/**
 * Wraps an audit log and folds repeated refusals, so that nobody can fill the log by pressing a button again and again.
 * The first refusal is recorded at once. When the member's window ends after five minutes, a second entry records the
 * number of repetitions, with the time of the last one. Entries that aren't refusals are always recorded. So are entries
 * without a reference, such as refusals by the poll.
 */
export function foldRepeats(
  record: AuditRecord,
  options: {
    /** Monotonic clock, ms. */
    clock: () => number;
    now: () => Date;
    windowMs?: number;
    maxMembers?: number;
  },
): AuditRecord {
  const { clock, now, windowMs = WINDOW_MS, maxMembers = MAX_MEMBERS } = options;
  // Windows by member, in the order in which they end.
  const windows = new Map<string, RefusalWindow>();
  let timer: NodeJS.Timeout | undefined;

  const closeWindow = (key: string, { refusals }: RefusalWindow): void => {
    windows.delete(key);
    for (const { entry, repeats, lastAt } of refusals.values()) {
      if (repeats === 0) continue;
      const times = repeats === 1 ? 'once more' : `${repeats} more times`;
      const target = entry.target === undefined ? times : `${entry.target}, ${times}`;
      record.enqueue({ ...entry, target, at: lastAt });
    }
  };

  const closeExpiredWindows = (): void => {
    timer = undefined;
    for (const [key, window] of windows) {
      if (clock() < window.endsAt) break;
      closeWindow(key, window);
    }
    scheduleClose();
  };

  const scheduleClose = (): void => {
    const [next] = windows.values();
    if (next) timer ??= setTimeout(closeExpiredWindows, Math.max(1, next.endsAt - clock())).unref();
  };

  const findOrOpenWindow = ({ workspace, actor }: AuditEntry): RefusalWindow => {
    const memberKey = JSON.stringify([workspace, actor]);
    const currentWindow = windows.get(memberKey);
    if (currentWindow && clock() < currentWindow.endsAt) return currentWindow;
    if (currentWindow) closeWindow(memberKey, currentWindow);
    const [oldest] = windows;
    if (oldest && windows.size >= maxMembers) closeWindow(...oldest);
    const window = { workspace, endsAt: clock() + windowMs, refusals: new Map() };
    windows.set(memberKey, window);
    scheduleClose();
    return window;
  };

  /** Counts the entry if it is a refusal. Returns the entry to write now; undefined for a repeated refusal. */
  const foldEntry = (entry: AuditEntry): AuditEntry | undefined => {
    const isRefusal = entry.decision === 'refused' || entry.decision === 'not-checked';
    if (!isRefusal || entry.reference === undefined) return entry;
    const { workspace, actor, decision, reference } = entry;
    const { refusals } = findOrOpenWindow(entry);
    const exceedsLimit = refusals.size >= MAX_DIFFERENT_REFUSALS && !refusals.has(buildEntryKey(entry));
    const entryOrSubstitute: AuditEntry = exceedsLimit
      ? { workspace, actor, action: 'further refusals', decision, reference }
      : entry;
    const earlier = refusals.get(buildEntryKey(entryOrSubstitute));
    if (!earlier) {
      refusals.set(buildEntryKey(entryOrSubstitute), {
        entry: entryOrSubstitute,
        repeats: 0,
        lastAt: now(),
      });
      return entryOrSubstitute;
    }
    earlier.repeats += 1;
    earlier.lastAt = now();
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
    // Only allowed actions are prepared, and those aren't folded.
    prepare: record.prepare,
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
