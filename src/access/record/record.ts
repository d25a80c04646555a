import { setTimeout as delay } from 'node:timers/promises';
import type { Kysely } from 'kysely';
import type { BotSchema } from '../../store/schema.ts';
import type { Encryption } from '../encryption.ts';
import { createAppend } from './chain.ts';
import { ensureChainKey } from './chain-key.ts';
import type { Entry } from './entry.ts';

export interface AccessRecord {
  /** Resolves when the entry is written, or queued because the database is down. Never rejects. */
  add(entry: Entry): Promise<void>;
  /** Adds an entry in the background. */
  enqueue(entry: Entry): void;
  /** Tries once to write all queued entries, or those of one workspace. Takes at most `flushMs`. */
  flush(workspace?: string): Promise<void>;
  /** Stops writing. Returns the entries that are not known to be written. */
  stop(): readonly Entry[];
}

interface RecordOptions {
  db: Kysely<BotSchema>;
  /** Seals the chains' key. */
  encryption: Encryption;
  now: () => Date;
  /** Called for a failed attempt. Its entries stay queued. */
  onError(error: unknown, about: { workspace: string; waiting: number }): void;
  /**
   * Called at most once a minute, with the number of entries dropped since the last call because the queue was full.
   */
  onDropped?(entries: number): void;
  /** Called for each change. */
  onCount?(entries: { waiting: number; dropped: number }): void;
  /** Defaults to MAX_WAITING. */
  maxWaiting?: number;
  /** Wait after the first failed attempt. It doubles each time, with full jitter. Defaults to 1 s. */
  backoffMs?: number;
  /** Defaults to 5 s. */
  flushMs?: number;
}

interface QueuedEntry {
  entry: Entry;
  at: Date;
  done: () => void;
}

/** The queued entries of one workspace, oldest first. */
interface Chain {
  queue: QueuedEntry[];
  /** The entries of the running attempt. */
  inFlight: readonly QueuedEntry[];
  failures: number;
  writing: Promise<void> | undefined;
  retry: NodeJS.Timeout | undefined;
}

/** Queued entries of all workspaces; about 10 MB. */
const MAX_WAITING = 20_000;
const MAX_BACKOFF_MS = 60_000;
const REPORT_DROPPED_MS = 60_000;
/** Rows in one statement. */
const MAX_BATCH = 100;

/**
 * The audit record: one hash chain for each workspace, to which any number of instances append. Entries that arrive
 * while a statement runs are written together by the next one. While the database is down, entries wait in memory, in
 * order, and are retried with backoff; callers don't wait for them. Beyond `maxWaiting` the oldest entries are dropped.
 */
export function createRecord(options: RecordOptions): AccessRecord {
  const { now, onError, backoffMs = 1_000, flushMs = 5_000, maxWaiting = MAX_WAITING } = options;
  const append = createAppend<QueuedEntry>(options.db, () => ensureChainKey(options));
  const chains = new Map<string, Chain>();
  const reportDropped = oncePerMinute(now, (entries) => options.onDropped?.(entries));
  let waiting = 0;
  let isStopped = false;
  const count = (added: number, dropped = 0): void => {
    waiting += added - dropped;
    options.onCount?.({ waiting, dropped });
  };

  const write = async (workspace: string, chain: Chain): Promise<void> => {
    while (chain.queue.length > 0 && !isStopped) {
      const batch = chain.queue.splice(0, MAX_BATCH);
      chain.inFlight = batch;
      try {
        const written = await append(workspace, batch);
        chain.queue.unshift(...batch.filter((one) => !written.has(one)));
        chain.failures = 0;
        count(-batch.filter((one) => written.has(one)).length);
        for (const { done } of batch) done();
      } catch (error) {
        chain.queue.unshift(...batch);
        for (const { done } of chain.queue) done();
        onError(error, { workspace, waiting: chain.queue.length });
        return retryLater(workspace, chain);
      } finally {
        chain.inFlight = [];
      }
    }
    chains.delete(workspace);
  };

  const begin = async (workspace: string, chain: Chain): Promise<void> => {
    clearTimeout(chain.retry);
    chain.retry = undefined;
    // Deferred, so that the entries of one request are written together.
    chain.writing ??= Promise.resolve()
      .then(() => write(workspace, chain))
      .catch((error: unknown) => onError(error, { workspace, waiting: chain.queue.length }))
      .finally(() => {
        chain.writing = undefined;
      });
    await chain.writing;
  };

  const retryLater = (workspace: string, chain: Chain): void => {
    if (isStopped) return;
    const maxDelayMs = Math.min(MAX_BACKOFF_MS, backoffMs * 2 ** chain.failures);
    chain.failures += 1;
    const retry = () => void begin(workspace, chain).catch(() => undefined);
    chain.retry = setTimeout(retry, Math.random() * maxDelayMs).unref();
  };

  /** Skips the entries of a running attempt, which may have been applied. */
  const dropOldest = (): void => {
    const [oldest] = [...chains.values()]
      .flatMap(({ queue }) => (queue[0] ? [{ queue, at: queue[0].at.getTime() }] : []))
      .toSorted((one, other) => one.at - other.at);
    oldest?.queue.shift()?.done();
    count(0, oldest ? 1 : 0);
    if (oldest) reportDropped();
  };

  const add = (entry: Entry): Promise<void> =>
    new Promise((done) => {
      const { workspace } = entry;
      if (isStopped) {
        onError(new Error('audit entry after the record was stopped'), { workspace, waiting: 0 });
        return done();
      }
      const chain = chains.get(workspace) ?? newChain();
      chains.set(workspace, chain);
      chain.queue.push({ entry, at: now(), done });
      count(1);
      if (waiting > maxWaiting) dropOldest();
      if (chain.retry) done();
      else begin(workspace, chain).catch(() => done());
    });

  return {
    add,
    enqueue: (entry) => void add(entry).catch(() => undefined),
    async flush(onlyWorkspace) {
      const due = [...chains].filter(
        ([workspace]) => onlyWorkspace === undefined || workspace === onlyWorkspace,
      );
      const all = Promise.all(due.map(([workspace, chain]) => begin(workspace, chain)));
      await Promise.race([all, delay(flushMs, undefined, { ref: false })]);
    },
    stop() {
      isStopped = true;
      const left = [...chains.values()];
      for (const { retry } of left) clearTimeout(retry);
      const unwritten = left.flatMap(({ inFlight, queue }) => [...inFlight, ...queue]);
      for (const { done } of unwritten) done();
      return unwritten.map(({ entry }) => entry);
    },
  };
}

function newChain(): Chain {
  return { queue: [], inFlight: [], failures: 0, writing: undefined, retry: undefined };
}

/** Counts calls, and reports the count at once and then at most once a minute. */
function oncePerMinute(now: () => Date, report: (times: number) => void): () => void {
  let times = 0;
  let nextAt = 0;
  return () => {
    times += 1;
    if (now().getTime() < nextAt) return;
    nextAt = now().getTime() + REPORT_DROPPED_MS;
    report(times);
    times = 0;
  };
}
