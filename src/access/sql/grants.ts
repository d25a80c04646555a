import { type Kysely, sql, type Transaction } from 'kysely';
import type { BotSchema } from '../../store/schema.ts';

/** Who has the role: a person, a Slack user group, or all full members (subject ''). */
export const SUBJECT_KINDS = ['person', 'group', 'members'] as const;
export type SubjectKind = (typeof SUBJECT_KINDS)[number];

/** A granted role. `project`: the project's id in the service, '' for the whole workspace. */
export interface Grant {
  workspace: string;
  subjectKind: SubjectKind;
  subject: string;
  project: string;
  role: string;
  reason: 'given' | 'installed' | 'claimed';
  grantedBy: string;
  grantedAt: Date;
}

/** All grants of a workspace, oldest first. */
export async function grantsIn(db: Kysely<BotSchema>, workspace: string): Promise<Grant[]> {
  const rows = await db
    .selectFrom('access_grant')
    .selectAll()
    .where('workspace', '=', workspace)
    .orderBy('granted_at')
    .orderBy('subject')
    .orderBy('project')
    .execute();
  return rows.flatMap((row) => {
    const subjectKind = SUBJECT_KINDS.find((kind) => kind === row.subject_kind);
    // A kind that this version doesn't know grants nothing.
    if (!subjectKind) return [];
    const { subject, project, role, granted_by: grantedBy, granted_at: grantedAt } = row;
    const reason = row.reason === 'installed' || row.reason === 'claimed' ? row.reason : 'given';
    return [{ workspace, subjectKind, subject, project, role, reason, grantedBy, grantedAt }];
  });
}

/** The locked grants of one workspace. */
interface Grants {
  all(): Promise<Grant[]>;
  /** Replaces the grant of the same subject and project. */
  save(grant: Omit<Grant, 'workspace'>): Promise<void>;
  /** False if there was none. */
  remove(grant: Pick<Grant, 'subjectKind' | 'subject' | 'project'>): Promise<boolean>;
}

/**
 * The only way to change grants. It locks the workspace's grants, so that what `work` has read is still true when it
 * writes. `work` must use its transaction only, because PGlite has a single connection.
 */
export async function changeGrants<Result>(
  db: Kysely<BotSchema>,
  workspace: string,
  work: (grants: Grants, transaction: Transaction<BotSchema>) => Promise<Result>,
): Promise<Result> {
  // A stricter level would not see changes made while it waited for the lock.
  return db
    .transaction()
    .setIsolationLevel('read committed')
    .execute(async (transaction) => {
      await lockGrants(transaction, workspace);
      return work(grantsWithin(transaction, workspace), transaction);
    });
}

/** Locks until the transaction ends. READ COMMITTED alone would let two owners remove each other's role. */
export async function lockGrants(transaction: Transaction<BotSchema>, workspace: string): Promise<void> {
  const key = `grants/${workspace}`;
  await sql`select pg_advisory_xact_lock(hashtextextended(${key}, 0))`.execute(transaction);
}

/** Grants a role without looking at the other grants. */
export async function saveGrant(db: Kysely<BotSchema>, grant: Grant): Promise<void> {
  await changeGrants(db, grant.workspace, (grants) => grants.save(grant));
}

function grantsWithin(transaction: Transaction<BotSchema>, workspace: string): Grants {
  return {
    all: () => grantsIn(transaction, workspace),
    async save({ subjectKind, subject, project, role, reason, grantedBy, grantedAt }) {
      const change = { role, reason, granted_by: grantedBy, granted_at: grantedAt };
      await transaction
        .insertInto('access_grant')
        .values({ workspace, subject_kind: subjectKind, subject, project, ...change })
        .onConflict((conflict) =>
          conflict.columns(['workspace', 'subject_kind', 'subject', 'project']).doUpdateSet(change),
        )
        .execute();
    },
    async remove({ subjectKind, subject, project }) {
      const removed = await transaction
        .deleteFrom('access_grant')
        .where('workspace', '=', workspace)
        .where('subject_kind', '=', subjectKind)
        .where('subject', '=', subject)
        .where('project', '=', project)
        .returning('subject')
        .execute();
      return removed.length > 0;
    },
  };
}
