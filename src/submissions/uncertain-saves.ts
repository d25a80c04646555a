import { setTimeout as delay } from 'node:timers/promises';
import type { Kysely } from 'kysely';
import type { Log } from '../slack/log.ts';
import type { BotSchema } from '../store/schema.ts';
import { resolveInsert } from './sql/earlier-submissions.ts';
import type { NewSubmission } from './sql/submissions.ts';

/** Whether rows were saved. `void`: they were not, and never will be. */
export type SaveOutcome = 'saved' | 'void';

/** Uncertain saves: the answer to their COMMIT was lost or is late. */
export interface UncertainSaves {
  /**
   * Finds out whether the rows were saved, however long that takes. Rejects only if it is stopped before. Each row has
   * keys for its form and for its author's content.
   */
  resolve(rows: readonly NewSubmission[], keys: readonly (readonly string[])[]): Promise<SaveOutcome>;
  /**
   * Waits for the outcome of an earlier uncertain save under one of these keys. Resolves with its row's id, or with
   * undefined if it was not saved or there is none.
   */
  findSavedId(keys: readonly string[]): Promise<string | undefined>;
  /** Whether there is an uncertain save under one of these keys. */
  has(keys: readonly string[]): boolean;
  stop(): void;
}

/** Waits between two attempts, ms; the last one for all that follow. */
const WAITS_MS = [50, 200, 500, 1_000, 2_000];

export function createUncertainSaves(context: { db: Kysely<BotSchema>; log: Log }): UncertainSaves {
  const pendingSaves = new Map<string, { keys: readonly string[]; outcome: Promise<SaveOutcome> }>();
  const abortController = new AbortController();

  async function resolveOutcome(rows: readonly NewSubmission[]): Promise<SaveOutcome> {
    for (let attempt = 0; ; attempt += 1) {
      abortController.signal.throwIfAborted();
      try {
        return await resolveInsert(context.db, rows);
      } catch (error) {
        const details = { submissions: rows.map(({ id }) => id), attempt, err: error };
        context.log.warn(details, 'could not find out whether a submission was saved');
      }
      const ms = WAITS_MS[Math.min(attempt, WAITS_MS.length - 1)];
      await delay(ms, undefined, { signal: abortController.signal, ref: false });
    }
  }
  const findPending = (keys: readonly string[]) =>
    [...pendingSaves].find(([, { keys: saveKeys }]) => saveKeys.some((key) => keys.includes(key)));
  return {
    resolve(rows, keys) {
      const outcome = resolveOutcome(rows).finally(() => {
        for (const { id } of rows) pendingSaves.delete(id);
      });
      // The caller may no longer wait for it.
      outcome.catch(() => undefined);
      for (const [index, { id }] of rows.entries())
        pendingSaves.set(id, { keys: keys[index] ?? [], outcome });
      return outcome;
    },
    async findSavedId(keys) {
      const [id, at] = findPending(keys) ?? [];
      return (await at?.outcome) === 'saved' ? id : undefined;
    },
    has: (keys) => findPending(keys) !== undefined,
    stop: () => abortController.abort(),
  };
}
