import { type Kysely, sql } from 'kysely';
import type { DeliveryStorage } from '../delivery/definition.ts';
import { transitionAll } from '../delivery/sql/bulk-transitions.ts';
import type { BotSchema } from '../store/schema.ts';
import { LIFECYCLE, LOCKED_STATES, type State } from './lifecycle.ts';
import type { SubmissionRow } from './sql/submissions.ts';

/** The table and lifecycle of submissions. */
export const SUBMISSION_STORAGE: DeliveryStorage<State, SubmissionRow> = {
  table: 'submission',
  lifecycle: LIFECYCLE,
  getExtraChange: (to) => ({
    ...(LOCKED_STATES.includes(to) ? {} : { locked: false }),
    ...(to === 'confirmed' && { awaits_publication: true }),
  }),
  afterRestore: {
    buildOverdueCondition: (now) => sql`publish_at <= ${now}`,
    createTransitionChange: () => ({ reason: 'restored', maybe_sent: true, checks: 0, locked: false }),
    // The post may have been sent since the backup, so equal posts are counted before the next send.
    changeWithoutTransition: { maybe_sent: true },
  },
};

/**
 * Discards a row, even a claimed one. `reason` is null for an author's request. Resolves with false if the row has
 * changed its state.
 */
export async function discardSubmission(
  db: Kysely<BotSchema>,
  { id, state }: Pick<SubmissionRow, 'id' | 'state'>,
  now: Date,
  reason: 'replaced' | null = 'replaced',
): Promise<boolean> {
  const discardedCount = await transitionAll(db, SUBMISSION_STORAGE, {
    ...{ fromStates: [state], to: 'discarded', now, change: { reason } },
    where: sql`id = ${id}`,
  });
  return discardedCount > 0;
}
