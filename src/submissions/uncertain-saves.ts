import { setTimeout as delay } from 'node:timers/promises';
import type { Kysely } from 'kysely';
import type { Log } from '../slack/log.ts';
import { type NewSubmission, resolveInsert } from './sql/insert.ts';
import type { SubmissionTables } from './submission.ts';

/** The outcome of an uncertain save. `void`: the rows weren't saved and never will be. */
export type SaveOutcome = 'saved' | 'void';

/** Delays between attempts to resolve a save. The last delay repeats. */
const RETRY_DELAYS_MS = [50, 200, 500, 1_000, 2_000];

export type UncertainSaves = ReturnType<typeof createUncertainSaves>;

/** Uncertain saves: the response to the COMMIT is lost or late. */
export function createUncertainSaves(context: { db: Kysely<SubmissionTables>; log: Log }) {
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
      const delayMs = RETRY_DELAYS_MS[Math.min(attempt, RETRY_DELAYS_MS.length - 1)];
      await delay(delayMs, undefined, { signal: abortController.signal, ref: false });
    }
  }
  const findPending = (keys: readonly string[]) =>
    [...pendingSaves].find(([, { keys: saveKeys }]) => saveKeys.some((key) => keys.includes(key)));
  return {
    /**
     * Resolves with the outcome of a save. Retries until the outcome is known, and rejects only after `stop`. `keys`:
     * the keys of each row; see `computeSaveKeys`.
     */
    resolve(rows: readonly NewSubmission[], keys: readonly (readonly string[])[]): Promise<SaveOutcome> {
      const outcome = resolveOutcome(rows).finally(() => {
        for (const { id } of rows) pendingSaves.delete(id);
      });
      // Prevents an unhandled rejection if the caller no longer waits.
      outcome.catch(() => undefined);
      for (const [index, { id }] of rows.entries())
        pendingSaves.set(id, { keys: keys[index] ?? [], outcome });
      return outcome;
    },
    /** Waits for the uncertain save with one of these keys. Resolves with the row's id; undefined if none was saved. */
    async findSavedId(keys: readonly string[]): Promise<string | undefined> {
      const [id, save] = findPending(keys) ?? [];
      return (await save?.outcome) === 'saved' ? id : undefined;
    },
    hasAny: (keys: readonly string[]): boolean => findPending(keys) !== undefined,
    stop: (): void => abortController.abort(),
  };
}
