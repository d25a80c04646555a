import { setTimeout as delay } from 'node:timers/promises';
import type { Kysely } from 'kysely';
import type { Encryption } from '../encryption.ts';
import type { AccessTables } from '../tables.ts';
import { createAppend } from './chain.ts';
import { readOrCreateChainKey } from './chain-key.ts';
import type { AuditEntry } from './entry.ts';

export interface AuditRecord {
  /**
   * Resolves when the entry is written. While the database is down, resolves as soon as it is queued. Never rejects.
   */
  add(entry: AuditEntry): Promise<void>;
  /** Adds an entry in the background. */
  enqueue(entry: AuditEntry): void;
  /** Tries once to write all queued entries, or those of one workspace. Takes at most `flushMs`. */
  flush(workspace?: string): Promise<void>;
  /** Stops writing. Returns the entries that may be unwritten. */
  stop(): readonly AuditEntry[];
}

interface RecordOptions {
  db: Kysely<AccessTables>;
  /** Seals the key of the chains. */
  encryption: Encryption;
  now: () => Date;
  /** Called after a failed attempt, whose entries stay queued. `waiting`: the workspace's number of queued entries. */
  onError(error: unknown, context: { workspace: string; waiting: number }): void;
  /**
   * Called at most once a minute, with the number of entries dropped since the last call because the queue was full.
   */
  onDropped?(entries: number): void;
  /** Called when entries are queued, written or dropped. `waiting`: the number of all queued entries. */
  onQueueChange?(entries: { waiting: number; dropped: number }): void;
  /** Defaults to MAX_QUEUED_ENTRIES. */
  maxQueuedEntries?: number;
  /** Delay after the first failed attempt. It doubles each time, with full jitter. Defaults to 1 s. */
  backoffMs?: number;
  /** Defaults to 5 s. */
  flushMs?: number;
}

interface QueuedEntry {
  entry: AuditEntry;
  /** When the entry's event happened. */
  at: Date;
  /** Resolves the promise of `add`. */
  resolveAdd: () => void;
}

interface WorkspaceQueue {
  /** Oldest first. */
  entries: QueuedEntry[];
  /** The entries of the running attempt. */
  inFlight: readonly QueuedEntry[];
  failures: number;
  currentWrite: Promise<void> | undefined;
  retryTimer: NodeJS.Timeout | undefined;
}

/** Maximum number of queued entries of all workspaces. They take about 10 MB. */
const MAX_QUEUED_ENTRIES = 20_000;
const MAX_BACKOFF_MS = 60_000;
const DROP_REPORT_INTERVAL_MS = 60_000;
/** Maximum number of rows in one statement. */
const MAX_BATCH = 100;

/**
 * The audit record: one hash chain for each workspace, to which any number of instances append. Entries that arrive
 * while a statement runs are written together by the next one. While the database is down, entries wait in memory, in
 * order, and are retried with backoff; callers don't wait for them. Beyond `maxQueuedEntries` the oldest entries are
 * dropped.
 */
export function createAuditRecord(options: RecordOptions): AuditRecord {
  const { now, onError, backoffMs = 1_000, flushMs = 5_000 } = options;
  const { maxQueuedEntries = MAX_QUEUED_ENTRIES } = options;
  const append = createAppend<QueuedEntry>(options.db, (db) =>
    readOrCreateChainKey({ db, encryption: options.encryption }),
  );
  const queues = new Map<string, WorkspaceQueue>();
  const reportDropped = createReportLimiter(now, (entries) => options.onDropped?.(entries));
  let queuedCount = 0;
  let isStopped = false;
  const updateQueuedCount = (added: number, dropped = 0): void => {
    queuedCount += added - dropped;
    options.onQueueChange?.({ waiting: queuedCount, dropped });
  };

  const writeQueue = async (workspace: string, queue: WorkspaceQueue): Promise<void> => {
    while (queue.entries.length > 0 && !isStopped) {
      const batch = queue.entries.splice(0, MAX_BATCH);
      queue.inFlight = batch;
      try {
        const written = await append(workspace, batch);
        queue.entries.unshift(...batch.filter((queued) => !written.has(queued)));
        queue.failures = 0;
        updateQueuedCount(-batch.filter((queued) => written.has(queued)).length);
        for (const { resolveAdd } of batch) resolveAdd();
      } catch (error) {
        queue.entries.unshift(...batch);
        for (const { resolveAdd } of queue.entries) resolveAdd();
        onError(error, { workspace, waiting: queue.entries.length });
        return scheduleRetry(workspace, queue);
      } finally {
        queue.inFlight = [];
      }
    }
    queues.delete(workspace);
  };

  const startWriting = async (workspace: string, queue: WorkspaceQueue): Promise<void> => {
    clearTimeout(queue.retryTimer);
    queue.retryTimer = undefined;
    // Writing is deferred, so that the entries of one request are written together.
    queue.currentWrite ??= Promise.resolve()
      .then(() => writeQueue(workspace, queue))
      .catch((error: unknown) => onError(error, { workspace, waiting: queue.entries.length }))
      .finally(() => {
        queue.currentWrite = undefined;
      });
    await queue.currentWrite;
  };

  const scheduleRetry = (workspace: string, queue: WorkspaceQueue): void => {
    if (isStopped) return;
    const maxDelayMs = Math.min(MAX_BACKOFF_MS, backoffMs * 2 ** queue.failures);
    queue.failures += 1;
    const retry = () => void startWriting(workspace, queue).catch(() => undefined);
    queue.retryTimer = setTimeout(retry, Math.random() * maxDelayMs).unref();
  };

  /**
   * Drops the oldest queued entry. A running attempt's entries are never dropped: the database may have stored them.
   */
  const dropOldest = (): void => {
    const [oldest] = [...queues.values()]
      .flatMap(({ entries }) => (entries[0] ? [{ entries, at: entries[0].at.getTime() }] : []))
      .toSorted((one, other) => one.at - other.at);
    oldest?.entries.shift()?.resolveAdd();
    updateQueuedCount(0, oldest ? 1 : 0);
    if (oldest) reportDropped();
  };

  const add = (entry: AuditEntry): Promise<void> =>
    new Promise((resolve) => {
      const { workspace } = entry;
      if (isStopped) {
        onError(new Error('audit entry added after the audit record was stopped'), { workspace, waiting: 0 });
        return resolve();
      }
      const queue = queues.get(workspace) ?? createWorkspaceQueue();
      queues.set(workspace, queue);
      queue.entries.push({ entry, at: entry.at ?? now(), resolveAdd: resolve });
      updateQueuedCount(1);
      if (queuedCount > maxQueuedEntries) dropOldest();
      if (queue.retryTimer) resolve();
      else startWriting(workspace, queue).catch(() => resolve());
    });

  return {
    add,
    enqueue: (entry) => void add(entry).catch(() => undefined),
    async flush(onlyWorkspace) {
      const selected = [...queues].filter(
        ([workspace]) => onlyWorkspace === undefined || workspace === onlyWorkspace,
      );
      const writes = Promise.all(selected.map(([workspace, queue]) => startWriting(workspace, queue)));
      await Promise.race([writes, delay(flushMs, undefined, { ref: false })]);
    },
    stop() {
      isStopped = true;
      const remaining = [...queues.values()];
      for (const { retryTimer } of remaining) clearTimeout(retryTimer);
      const unwritten = remaining.flatMap(({ inFlight, entries }) => [...inFlight, ...entries]);
      for (const { resolveAdd } of unwritten) resolveAdd();
      return unwritten.map(({ entry }) => entry);
    },
  };
}

function createWorkspaceQueue(): WorkspaceQueue {
  return { entries: [], inFlight: [], failures: 0, currentWrite: undefined, retryTimer: undefined };
}

/**
 * Returns a function that counts its calls. The count is reported at the first call, and then at most once a minute.
 */
function createReportLimiter(now: () => Date, report: (calls: number) => void): () => void {
  let calls = 0;
  let nextReportAt = 0;
  return () => {
    calls += 1;
    if (now().getTime() < nextReportAt) return;
    nextReportAt = now().getTime() + DROP_REPORT_INTERVAL_MS;
    report(calls);
    calls = 0;
  };
}
