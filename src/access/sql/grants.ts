import { type Kysely, sql, type Transaction } from 'kysely';
import type { BotSchema } from '../../store/schema.ts';

/** To whom a role is given: a person, a user group of Slack's, or all full members (subject ''). */
export const SUBJECT_KINDS = ['person', 'group', 'members'] as const;
export type SubjectKind = (typeof SUBJECT_KINDS)[number];

/** What is given, to whom and why. `project` is an id of the service's, '' for the whole workspace. */
export interface Grant {
  workspace: string;
  subjectKind: SubjectKind;
  subject: string;
  project: string;
  role: string;
  why: 'given' | 'installed' | 'claimed';
  grantedBy: string;
  grantedAt: Date;
}

/** All that was given in a workspace, the oldest first. */
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
    // What this version cannot read gives nothing.
    if (!subjectKind) return [];
    const { subject, project, role, granted_by: grantedBy, granted_at: grantedAt } = row;
    const why = row.why === 'installed' || row.why === 'claimed' ? row.why : 'given';
    return [{ workspace, subjectKind, subject, project, role, why, grantedBy, grantedAt }];
  });
}

/** What is given in one workspace, while nobody else can change it. */
interface Grants {
  all(): Promise<Grant[]>;
  /** Replaces what the same subject had there before. */
  save(grant: Omit<Grant, 'workspace'>): Promise<void>;
  /** False where there was none. */
  remove(grant: Pick<Grant, 'subjectKind' | 'subject' | 'project'>): Promise<boolean>;
}

/**
 * The only way to change what is given in a workspace: one change at a time, so that what `work` reads still holds when
 * it writes. `work` uses no other handle on the database: the embedded one has a single connection.
 */
export async function changeGrants<Result>(
  db: Kysely<BotSchema>,
  workspace: string,
  work: (grants: Grants, transaction: Transaction<BotSchema>) => Promise<Result>,
): Promise<Result> {
  // A stricter level would read what there was before it waited for the lock.
  return db
    .transaction()
    .setIsolationLevel('read committed')
    .execute(async (transaction) => {
      await lockGrants(transaction, workspace);
      return work(grantsWithin(transaction, workspace), transaction);
    });
}

/** Held until the transaction ends. READ COMMITTED alone would let two owners take each other's role. */
export async function lockGrants(transaction: Transaction<BotSchema>, workspace: string): Promise<void> {
  const key = `grants/${workspace}`;
  await sql`select pg_advisory_xact_lock(hashtextextended(${key}, 0))`.execute(transaction);
}

/** Gives a role whatever is given already. */
export async function saveGrant(db: Kysely<BotSchema>, grant: Grant): Promise<void> {
  await changeGrants(db, grant.workspace, (grants) => grants.save(grant));
}

function grantsWithin(transaction: Transaction<BotSchema>, workspace: string): Grants {
  return {
    all: () => grantsIn(transaction, workspace),
    async save({ subjectKind, subject, project, role, why, grantedBy, grantedAt }) {
      const change = { role, why, granted_by: grantedBy, granted_at: grantedAt };
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
