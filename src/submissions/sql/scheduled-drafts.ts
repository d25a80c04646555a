import type { Queryable } from '../../store/database.ts';
import type { SubmissionTables } from '../submission.ts';

/** Stores a scheduled draft. Does nothing if the row already exists. */
export async function saveScheduledDraft(
  db: Queryable<SubmissionTables>,
  scheduledDraft: {
    workspace: string;
    /** The project's id in the service. */
    project: string;
    /** The draft's id in the service. */
    draft: string;
    submission: string;
    /** The post's id in the service; undefined if unknown. */
    post?: string | undefined;
    /** Publishing time of the post; undefined if there is none. */
    scheduledAt?: Date | undefined;
    /** Time zone of the publishing time; an IANA name. */
    zone?: string | undefined;
    createdBy: string;
    createdAt: Date;
  },
): Promise<void> {
  const { post = null, scheduledAt = null, zone = null, createdBy, createdAt, ...columns } = scheduledDraft;
  await db
    .insertInto('scheduled_draft')
    .values({
      ...columns,
      post,
      scheduled_at: scheduledAt,
      zone,
      created_by: createdBy,
      created_at: createdAt,
    })
    .onConflict((conflict) => conflict.column('submission').doNothing())
    .execute();
}

/** Finds the newest post of each draft. Resolves with publishing times and zones by draft id. */
export async function findScheduledDrafts(
  db: Queryable<SubmissionTables>,
  filter: { workspace: string; project: string; drafts: readonly string[] },
): Promise<ReadonlyMap<string, { scheduledAt: Date | undefined; zone: string | undefined }>> {
  if (filter.drafts.length === 0) return new Map();
  const rows = await db
    .selectFrom('scheduled_draft')
    .select(['draft', 'scheduled_at', 'zone'])
    .where(({ and }) => and({ workspace: filter.workspace, project: filter.project }))
    .where('draft', 'in', [...filter.drafts])
    .orderBy('created_at')
    .execute();
  return new Map(
    rows.map((row) => [
      row.draft,
      { scheduledAt: row.scheduled_at ?? undefined, zone: row.zone ?? undefined },
    ]),
  );
}
