import { type Kysely, sql } from 'kysely';
import type { Deliveries } from '../delivery/definition.ts';
import { transitionAll } from '../delivery/sql/bulk-transitions.ts';
import type { BotSchema } from '../store/schema.ts';
import { LIFECYCLE, LOCKED, type State } from './lifecycle.ts';
import type { SubmissionRow } from './sql/submissions.ts';

/** Submissions as they are stored. */
export const SUBMISSIONS: Deliveries<State, SubmissionRow> = {
  table: 'submission',
  lifecycle: LIFECYCLE,
  alsoSets: (to) => (LOCKED.includes(to) ? {} : { locked: false }),
  restored: {
    isPast: (now) => sql`due_at <= ${now}`,
    moved: () => ({ why: 'restored', doubted: true, looks: 0, locked: false }),
    // An author who had not decided then may have sent it since: it is looked for before it is sent.
    stayed: { doubted: true },
  },
};

/** Never to be sent, whoever has claimed it: another takes its place, or a person discards it. False if it has changed state. */
export async function discardSubmission(
  db: Kysely<BotSchema>,
  { id, state }: Pick<SubmissionRow, 'id' | 'state'>,
  at: Date,
  why: 'replaced' | null = 'replaced',
): Promise<boolean> {
  const discarded = await transitionAll(db, SUBMISSIONS, {
    ...{ from: [state], to: 'discarded', at, change: { why } },
    where: sql`id = ${id}`,
  });
  return discarded > 0;
}
