import type { Kysely } from 'kysely';
import type { HeldPostRow, HeldPostTables } from '../held-post.ts';
import { addEvent } from '../sql/events.ts';

/** Records that a new version voids the approvals of the one before, if it had any. */
export async function voidApprovals(
  db: Kysely<HeldPostTables>,
  before: HeldPostRow,
  after: HeldPostRow,
  at: Date,
): Promise<void> {
  if (!before.in_review || before.version === after.version) return;
  const approval = await db
    .selectFrom('held_post_event')
    .select('id')
    .where('held_post', '=', before.id)
    .where('workspace', '=', before.workspace)
    .where('version', '=', before.version)
    .where('kind', '=', 'approved')
    .limit(1)
    .executeTakeFirst();
  if (approval) await addEvent(db, after, { kind: 'approval-voided', actor: '', at });
}
