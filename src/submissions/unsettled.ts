import { setTimeout as delay } from 'node:timers/promises';
import type { Kysely } from 'kysely';
import type { Log } from '../slack/log.ts';
import type { BotSchema } from '../store/schema.ts';
import type { NewSubmission } from './sql/submissions.ts';
import { settleInsert } from './sql/submitted-before.ts';

/** Whether rows were saved. `void`: they were not, and never will be. */
export type Fate = 'saved' | 'void';

/** Uncertain saves: the answer to their COMMIT was lost or is late. */
export interface Unsettled {
  /**
   * Finds out, however long that takes; rejects only when it is stopped before. Each row has keys, which stand for its
   * form and for what its author submitted.
   */
  settle(rows: readonly NewSubmission[], keys: readonly (readonly string[])[]): Promise<Fate>;
  /**
   * Waits for the outcome of an earlier uncertain save under one of these keys. Resolves with its row's id, or with
   * undefined if it was not saved or there is none.
   */
  earlier(keys: readonly string[]): Promise<string | undefined>;
  /** Whether there is an uncertain save under one of these keys. */
  has(keys: readonly string[]): boolean;
  stop(): void;
}

/** Waits between two attempts, ms; the last one for all that follow. */
const WAITS_MS = [50, 200, 500, 1_000, 2_000];

export function createUnsettled(machine: { db: Kysely<BotSchema>; log: Log }): Unsettled {
  const open = new Map<string, { keys: readonly string[]; fate: Promise<Fate> }>();
  const stopped = new AbortController();

  async function findOut(rows: readonly NewSubmission[]): Promise<Fate> {
    for (let attempt = 0; ; attempt += 1) {
      stopped.signal.throwIfAborted();
      try {
        return await settleInsert(machine.db, rows);
      } catch (error) {
        const facts = { submissions: rows.map(({ id }) => id), attempt, err: error };
        machine.log.warn(facts, 'could not find out whether a submission was saved');
      }
      const ms = WAITS_MS[Math.min(attempt, WAITS_MS.length - 1)];
      await delay(ms, undefined, { signal: stopped.signal, ref: false });
    }
  }
  const find = (keys: readonly string[]) =>
    [...open].find(([, { keys: mine }]) => mine.some((key) => keys.includes(key)));
  return {
    settle(rows, keys) {
      const fate = findOut(rows).finally(() => {
        for (const { id } of rows) open.delete(id);
      });
      // Whoever asked may have gone on without it.
      fate.catch(() => undefined);
      for (const [index, { id }] of rows.entries()) open.set(id, { keys: keys[index] ?? [], fate });
      return fate;
    },
    async earlier(keys) {
      const [id, at] = find(keys) ?? [];
      return (await at?.fate) === 'saved' ? id : undefined;
    },
    has: (keys) => find(keys) !== undefined,
    stop: () => stopped.abort(),
  };
}
