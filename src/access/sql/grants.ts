import { type Kysely, type Selectable, sql, type Transaction } from 'kysely';
import { lockUntilEnd } from '../../store/locks.ts';
import type { AccessTables } from '../tables.ts';

/** The kinds of subjects that can have a role: a person, a Slack user group, or all full members (subject ''). */
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

/** Lists the grants of a workspace, oldest first. */
export async function listGrants(db: Kysely<AccessTables>, workspace: string): Promise<Grant[]> {
  const { rows } = await sql<Selectable<AccessTables['access_grant']>>`select * from access_grant
    where workspace = ${workspace} order by granted_at, subject, project`.execute(db);
  return rows.flatMap((row) => {
    const subjectKind = SUBJECT_KINDS.find((kind) => kind === row.subject_kind);
    // A kind that this version doesn't know grants nothing.
    if (!subjectKind) return [];
    const { subject, project, role, granted_by: grantedBy, granted_at: grantedAt } = row;
    const reason = row.reason === 'installed' || row.reason === 'claimed' ? row.reason : 'given';
    return [{ workspace, subjectKind, subject, project, role, reason, grantedBy, grantedAt }];
  });
}

/**
 * Runs `work` with the workspace's grants locked, so that the grants that `work` reads don't change before it writes.
 * All code that saves or removes single grants uses this function. `work` must use only the passed transaction, because
 * PGlite has a single connection.
 */
export async function changeGrants<Result>(
  db: Kysely<AccessTables>,
  workspace: string,
  work: (
    grants: ReturnType<typeof createLockedGrants>,
    transaction: Transaction<AccessTables>,
  ) => Promise<Result>,
): Promise<Result> {
  // At a stricter isolation level, `work` would not see changes made while the transaction waited for the lock.
  return db
    .transaction()
    .setIsolationLevel('read committed')
    .execute(async (transaction) => {
      await lockGrants(transaction, workspace);
      return work(createLockedGrants(transaction, workspace), transaction);
    });
}

/** Locks the workspace's grants until the transaction ends, so that two owners can't remove each other's role. */
export async function lockGrants(transaction: Transaction<AccessTables>, workspace: string): Promise<void> {
  await lockUntilEnd(transaction, `grants/${workspace}`);
}

/** Saves a grant regardless of the other grants. */
export async function saveGrant(db: Kysely<AccessTables>, grant: Grant): Promise<void> {
  await changeGrants(db, grant.workspace, (grants) => grants.save(grant));
}

/** Postgres takes 65,535 parameters in a statement, and a grant has eight. */
const MAX_SAVED_AT_ONCE = 1_000;

/** The grants of one workspace, locked by the current transaction. */
function createLockedGrants(transaction: Transaction<AccessTables>, workspace: string) {
  return {
    list: () => listGrants(transaction, workspace),
    /** Replaces the grants of the same subjects and projects. */
    async save(...grants: readonly Omit<Grant, 'workspace'>[]): Promise<void> {
      for (let start = 0; start < grants.length; start += MAX_SAVED_AT_ONCE)
        await transaction
          .insertInto('access_grant')
          .values(
            grants
              .slice(start, start + MAX_SAVED_AT_ONCE)
              .map(({ subjectKind, subject, project, role, reason, grantedBy, grantedAt }) => ({
                ...{ workspace, subject_kind: subjectKind, subject, project, role, reason },
                ...{ granted_by: grantedBy, granted_at: grantedAt },
              })),
          )
          .onConflict((conflict) =>
            conflict.columns(['workspace', 'subject_kind', 'subject', 'project']).doUpdateSet(({ ref }) => ({
              role: ref('excluded.role'),
              reason: ref('excluded.reason'),
              granted_by: ref('excluded.granted_by'),
              granted_at: ref('excluded.granted_at'),
            })),
          )
          .execute();
    },
    async remove({
      subjectKind,
      subject,
      project,
    }: Pick<Grant, 'subjectKind' | 'subject' | 'project'>): Promise<void> {
      await transaction
        .deleteFrom('access_grant')
        .where(({ and }) => and({ workspace, subject_kind: subjectKind, subject, project }))
        .execute();
    },
  };
}
