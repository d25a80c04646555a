import { type Kysely, sql } from 'kysely';
import type { Deliveries } from '../delivery/definition.ts';
import { transitionAll } from '../delivery/sql/bulk-transitions.ts';
import type { BotSchema } from '../store/schema.ts';
import { LIFECYCLE, LOCKED_STATES, type State } from './lifecycle.ts';
import type { SubmissionRow } from './sql/submissions.ts';

/** The table and lifecycle of submissions. */
export const SUBMISSIONS: Deliveries<State, SubmissionRow> = {
  table: 'submission',
  lifecycle: LIFECYCLE,
  getExtraChange: (to) => (LOCKED_STATES.includes(to) ? {} : { locked: false }),
  afterRestore: {
    isOverdue: (now) => sql`publish_at <= ${now}`,
    createTransitionChange: () => ({ reason: 'restored', maybe_sent: true, checks: 0, locked: false }),
    // The author may have sent the post since the backup, so equal posts are counted before the row is sent again.
    unchangedStateChange: { maybe_sent: true },
  },
};

/**
 * Discards a row, even if it is claimed, because another row replaces it or because the author requested it. Resolves
 * with false if the row's state has changed.
 */
export async function discardSubmission(
  db: Kysely<BotSchema>,
  { id, state }: Pick<SubmissionRow, 'id' | 'state'>,
  now: Date,
  reason: 'replaced' | null = 'replaced',
): Promise<boolean> {
  const discardedCount = await transitionAll(db, SUBMISSIONS, {
    ...{ fromStates: [state], to: 'discarded', now, change: { reason } },
    where: sql`id = ${id}`,
  });
  return discardedCount > 0;
}
