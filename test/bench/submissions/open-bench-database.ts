import { mkdtempSync, rmSync } from 'node:fs';
import type { Kysely } from 'kysely';
import { openDatabase } from '../../../src/store/database.ts';
import { migrations } from '../../../src/store/migrations.ts';
import { openThreadedPGlite } from '../../../src/store/pglite/threaded-pglite.ts';
import type { BotSchema } from '../../../src/store/schema.ts';

/** The bot's own database as `npm start` opens it, in a folder that goes with it. */
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

export function percentile(times: readonly number[], part: number): number {
  return times.toSorted((a, b) => a - b)[Math.ceil(times.length * part) - 1] ?? 0;
}

/** Waits until nothing is on its way and everybody knows how theirs ended; false where that takes too long. */
export async function untilQuiet(db: Kysely<BotSchema>, longestMs: number): Promise<boolean> {
  for (const started = performance.now(); performance.now() - started < longestMs; ) {
    const moving = await db
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
    if (!moving) return true;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  return false;
}
