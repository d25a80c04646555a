import type { Entry } from './entry.ts';
import type { AccessRecord } from './record.ts';

/** One member's refusals within so long are folded, ms. */
const WINDOW_MS = 5 * 60_000;
/** So many different ones of a member stand in the record within that time; the rest together. */
const MAX_DIFFERENT = 20;
/** Members in memory. Beyond, the one who was refused first makes room. */
const MAX_MEMBERS = 10_000;

/** What a member was refused since the window began: each once in the record, with how often it came again. */
interface Window {
  workspace: string;
  until: number;
  entries: Map<string, { entry: Entry; again: number }>;
}

/**
 * Writes a refusal that somebody meets again and again once, and at the end of five minutes how often it came again:
 * the record stays true, and nobody can lengthen it as fast as they can press. What was allowed or done is written
 * each time. Entries without a reference, such as refusals by the sending loop, are never folded.
 */
export function foldRepeats(
  record: AccessRecord,
  options: {
    /** ms on a clock that goes on. */
    clock: () => number;
    windowMs?: number;
    maxMembers?: number;
  },
): AccessRecord {
  const { clock, windowMs = WINDOW_MS, maxMembers = MAX_MEMBERS } = options;
  // In the order in which they end.
  const windows = new Map<string, Window>();
  let timer: NodeJS.Timeout | undefined;

  const close = (key: string, { entries }: Window): void => {
    windows.delete(key);
    for (const { entry, again } of entries.values()) {
      if (again === 0) continue;
      const times = again === 1 ? 'once more' : `${again} more times`;
      record.note({ ...entry, target: entry.target === undefined ? times : `${entry.target}, ${times}` });
    }
  };

  const closeOver = (): void => {
    timer = undefined;
    for (const [key, window] of windows) {
      if (clock() < window.until) break;
      close(key, window);
    }
    wait();
  };

  const wait = (): void => {
    const [next] = windows.values();
    if (next) timer ??= setTimeout(closeOver, Math.max(1, next.until - clock())).unref();
  };

  const windowOf = ({ workspace, who }: Entry): Window => {
    const member = JSON.stringify([workspace, who]);
    const open = windows.get(member);
    if (open && clock() < open.until) return open;
    if (open) close(member, open);
    const [oldest] = windows;
    if (oldest && windows.size >= maxMembers) close(...oldest);
    const window = { workspace, until: clock() + windowMs, entries: new Map() };
    windows.set(member, window);
    wait();
    return window;
  };

  /** The entry to write now; undefined where it only counts. */
  const first = (entry: Entry): Entry | undefined => {
    const isRefusal = entry.decision === 'refused' || entry.decision === 'not-checked';
    if (!isRefusal || entry.reference === undefined) return entry;
    const { workspace, who, decision, reference } = entry;
    const { entries } = windowOf(entry);
    const isOneMore = entries.size >= MAX_DIFFERENT && !entries.has(keyOf(entry));
    const folded = isOneMore ? { workspace, who, action: 'other requests', decision, reference } : entry;
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
      const written = first(entry);
      if (written) await record.add(written);
    },
    note(entry) {
      const written = first(entry);
      if (written) record.note(written);
    },
    async settled(only) {
      for (const [key, window] of windows) {
        if (only === undefined || window.workspace === only) close(key, window);
      }
      await record.settled(only);
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
