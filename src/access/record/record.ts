import { setTimeout as delay } from 'node:timers/promises';
import type { Kysely } from 'kysely';
import type { BotSchema } from '../../store/schema.ts';
import type { Encryption } from '../encryption.ts';
import { createAppend } from './chain.ts';
import { chainKey } from './chain-key.ts';
import type { Entry } from './entry.ts';

export interface AccessRecord {
  /** Resolves when it is written, or waits for the database to come back. Never rejects. */
  add(entry: Entry): Promise<void>;
  /** The same where nobody waits for it. */
  note(entry: Entry): void;
  /**
   * Tries once to write everything that waits, or only the entries of one workspace; takes no longer than `settleMs`.
   */
  settled(workspace?: string): Promise<void>;
  /** Writes nothing from now on. Returns the entries that are not known to be written. */
  stop(): readonly Entry[];
}

interface RecordOptions {
  db: Kysely<BotSchema>;
  /** Seals the chains' key. */
  encryption: Encryption;
  now: () => Date;
  /** An attempt failed; the entries wait for the next one. */
  failed(error: unknown, about: { workspace: string; waiting: number }): void;
  /** Too many waited: told once a minute at most, with how many were dropped since. */
  dropped?(entries: number): void;
  /** Told of each change. */
  counted?(entries: { waiting: number; dropped: number }): void;
  /** Defaults to MAX_WAITING. */
  maxWaiting?: number;
  /** First wait after a failed attempt; doubled each time, with full jitter. Defaults to 1 s. */
  backoffMs?: number;
  /** Defaults to 5 s. */
  settleMs?: number;
}

interface Waiting {
  entry: Entry;
  at: Date;
  done: () => void;
}

/** The entries of one workspace that are not written yet, the oldest first. */
interface Chain {
  queue: Waiting[];
  /** Those of the running attempt. */
  inFlight: readonly Waiting[];
  failures: number;
  writing: Promise<void> | undefined;
  retry: NodeJS.Timeout | undefined;
}

/** Over all workspaces, about 10 MB. */
const MAX_WAITING = 20_000;
const MAX_BACKOFF_MS = 60_000;
const TELL_DROPPED_MS = 60_000;
/** Rows of one statement. */
const MAX_BATCH = 100;

/**
 * One chain for each workspace, which any number of instances lengthen. Entries that come while a statement is under
 * way go together with the next one. While the database does not answer they wait in memory, in order, and are tried
 * again with backoff; nobody waits for them then. Beyond `maxWaiting` the oldest are dropped.
 */
export function createRecord(options: RecordOptions): AccessRecord {
  const { now, failed, backoffMs = 1_000, settleMs = 5_000, maxWaiting = MAX_WAITING } = options;
  const append = createAppend<Waiting>(options.db, () => chainKey(options));
  const chains = new Map<string, Chain>();
  const tellDropped = onceAMinute(now, (entries) => options.dropped?.(entries));
  let waiting = 0;
  let isStopped = false;
  const count = (added: number, dropped = 0): void => {
    waiting += added - dropped;
    options.counted?.({ waiting, dropped });
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
        failed(error, { workspace, waiting: chain.queue.length });
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
    // After this turn, so that what one request decides goes together.
    chain.writing ??= Promise.resolve()
      .then(() => write(workspace, chain))
      .catch((error: unknown) => failed(error, { workspace, waiting: chain.queue.length }))
      .finally(() => {
        chain.writing = undefined;
      });
    await chain.writing;
  };

  const retryLater = (workspace: string, chain: Chain): void => {
    if (isStopped) return;
    const longest = Math.min(MAX_BACKOFF_MS, backoffMs * 2 ** chain.failures);
    chain.failures += 1;
    const retry = () => void begin(workspace, chain).catch(() => undefined);
    chain.retry = setTimeout(retry, Math.random() * longest).unref();
  };

  /** Not of a running attempt, which may have been applied. */
  const dropOldest = (): void => {
    const [oldest] = [...chains.values()]
      .flatMap(({ queue }) => (queue[0] ? [{ queue, at: queue[0].at.getTime() }] : []))
      .toSorted((one, other) => one.at - other.at);
    oldest?.queue.shift()?.done();
    count(0, oldest ? 1 : 0);
    if (oldest) tellDropped();
  };

  const add = (entry: Entry): Promise<void> =>
    new Promise((done) => {
      const { workspace } = entry;
      if (isStopped) {
        failed(new Error('an audit entry came after the end'), { workspace, waiting: 0 });
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
    note: (entry) => void add(entry).catch(() => undefined),
    async settled(only) {
      const wanted = [...chains].filter(([workspace]) => only === undefined || workspace === only);
      const all = Promise.all(wanted.map(([workspace, chain]) => begin(workspace, chain)));
      await Promise.race([all, delay(settleMs, undefined, { ref: false })]);
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

/** Tells of what happened, at once and then once a minute at most, with how often since. */
function onceAMinute(now: () => Date, tell: (times: number) => void): () => void {
  let times = 0;
  let nextAt = 0;
  return () => {
    times += 1;
    if (now().getTime() < nextAt) return;
    nextAt = now().getTime() + TELL_DROPPED_MS;
    tell(times);
    times = 0;
  };
}
