import type { Kysely } from 'kysely';
import type { BotSchema } from '../../store/schema.ts';

/** A draft and the post that was created from it. */
interface DraftCopy {
  workspace: string;
  /** The ids of the project and of the draft in the service. */
  project: string;
  draft: string;
  /** The id of the submission that created the post. */
  submission: string;
  /** The new post's id in the service, if the service returned it. */
  post?: string | undefined;
  scheduledAt?: Date | undefined;
  /** IANA name. */
  zone?: string | undefined;
  createdBy: string;
  createdAt: Date;
}

/**
 * Stores a draft copy after the service confirmed the post. Does nothing if the submission's copy is stored already.
 */
export async function saveDraftCopy(db: Kysely<BotSchema>, copy: DraftCopy): Promise<void> {
  const { post = null, scheduledAt = null, zone = null, createdBy, createdAt, ...rest } = copy;
  await db
    .insertInto('draft_copy')
    .values({ ...rest, post, scheduled_at: scheduledAt, zone, created_by: createdBy, created_at: createdAt })
    .onConflict((conflict) => conflict.columns(['workspace', 'submission']).doNothing())
    .execute();
}

/** Finds the last scheduled copy of each draft. The result maps the draft's id to the copy. */
export async function findDraftCopies(
  db: Kysely<BotSchema>,
  filter: { workspace: string; project: string; drafts: readonly string[] },
): Promise<ReadonlyMap<string, { scheduledAt: Date | undefined; zone: string | undefined }>> {
  if (filter.drafts.length === 0) return new Map();
  const rows = await db
    .selectFrom('draft_copy')
    .select(['draft', 'scheduled_at', 'zone'])
    .where('workspace', '=', filter.workspace)
    .where('project', '=', filter.project)
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
