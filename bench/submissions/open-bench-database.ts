import { mkdtempSync, rmSync } from 'node:fs';
import type { Kysely } from 'kysely';
import { migrations } from '../../src/app/migrations.ts';
import type { BotSchema } from '../../src/handlers/schema.ts';
import { openDatabase } from '../../src/store/database.ts';
import { openThreadedPGlite } from '../../src/store/pglite/threaded-pglite.ts';

/** Opens a database as `npm start` does, in a new folder. `close` removes the folder. */
export async function openBenchDatabase(): Promise<{ db: Kysely<BotSchema>; close(): Promise<void> }> {
  const folder = mkdtempSync('.cache/bench-');
  const { dialect, close } = await openThreadedPGlite(folder);
  const db = await openDatabase<BotSchema>({ dialect, migrations });
  return {
    db,
    async close() {
      await db.destroy();
      await close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

export function computePercentile(times: readonly number[], share: number): number {
  return times.toSorted((a, b) => a - b)[Math.ceil(times.length * share) - 1] ?? 0;
}

/** Waits until no submission is in flight and all authors are notified. Resolves with false after `maxMs`. */
export async function waitUntilNoSubmissionIsInProgress(
  db: Kysely<BotSchema>,
  maxMs: number,
): Promise<boolean> {
  for (const startedAt = performance.now(); performance.now() - startedAt < maxMs; ) {
    const unfinishedRow = await db
      .selectFrom('submission')
      .select('id')
      .where((row) =>
        row.or([
          row('state', 'in', ['saved', 'sending', 'retryable', 'unknown', 'reconciling']),
          row('notify_at', 'is not', null),
        ]),
      )
      .limit(1)
      .executeTakeFirst();
    if (!unfinishedRow) return true;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  return false;
}
