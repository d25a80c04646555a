import { type Kysely, sql } from 'kysely';
import { repeatAfterDeadlock } from '../store/locks.ts';
import type { HeldPostTables } from './held-post.ts';

/**
 * Makes the hand-over of all held posts due now whose hand-over is due until a time, before a planned downtime. Running
 * instances hand them over, with all checks. Posts in review wait for their approval. An instance that is handing a post
 * over at the same time loses its claim.
 */
export async function handOverUntil(
  db: Kysely<HeldPostTables>,
  { until, now }: { until: Date; now: Date },
): Promise<{ handedOver: number; inReview: number }> {
  const makeDue = db
    .updateTable('held_post')
    .set({
      hand_over_at: sql<Date>`least(hand_over_at, ${now})`,
      next_at: sql<Date>`clock_timestamp()`,
      fence: sql<number>`fence + 1`,
      lease_until: null,
    })
    .where('state', '=', 'held')
    .where('hand_over_at', '<=', until);
  const result = await repeatAfterDeadlock(() => makeDue.executeTakeFirst());
  const { inReview } = await db
    .selectFrom('held_post')
    .select((row) => row.fn.countAll<number>().as('inReview'))
    .where('state', '=', 'awaiting-review')
    .where('hand_over_at', '<=', until)
    .executeTakeFirstOrThrow();
  return { handedOver: Number(result.numUpdatedRows), inReview: Number(inReview) };
}
