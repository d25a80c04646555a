import { type Kysely, sql } from 'kysely';
import type { Deliveries } from '../delivery/definition.ts';
import { transitionAll } from '../delivery/sql/bulk-transitions.ts';
import type { BotSchema } from '../store/schema.ts';
import { LIFECYCLE, LOCKED, type State } from './lifecycle.ts';
import type { SubmissionRow } from './sql/submissions.ts';

/** How submissions are stored. */
export const SUBMISSIONS: Deliveries<State, SubmissionRow> = {
  table: 'submission',
  lifecycle: LIFECYCLE,
  extraChange: (to) => (LOCKED.includes(to) ? {} : { locked: false }),
  restored: {
    isPast: (now) => sql`publish_at <= ${now}`,
    movedChange: () => ({ reason: 'restored', maybe_sent: true, checks: 0, locked: false }),
    // The author may have sent it since the backup, so equal posts are counted before it is sent again.
    stayedChange: { maybe_sent: true },
  },
};

/** Discards a row, claimed or not, because another replaces it or the author asked. False if its state has changed. */
export async function discardSubmission(
  db: Kysely<BotSchema>,
  { id, state }: Pick<SubmissionRow, 'id' | 'state'>,
  at: Date,
  reason: 'replaced' | null = 'replaced',
): Promise<boolean> {
  const discarded = await transitionAll(db, SUBMISSIONS, {
    ...{ from: [state], to: 'discarded', at, change: { reason } },
    where: sql`id = ${id}`,
  });
  return discarded > 0;
}
