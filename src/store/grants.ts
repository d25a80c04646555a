import type { Kysely } from 'kysely';
import type { BotSchema } from './schema.ts';

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

/** In the place of what the same subject had there before. */
export async function saveGrant(db: Kysely<BotSchema>, grant: Grant): Promise<void> {
  const change = {
    role: grant.role,
    why: grant.why,
    granted_by: grant.grantedBy,
    granted_at: grant.grantedAt,
  };
  const { workspace, subjectKind, subject, project } = grant;
  await db
    .insertInto('access_grant')
    .values({ workspace, subject_kind: subjectKind, subject, project, ...change })
    .onConflict((conflict) =>
      conflict.columns(['workspace', 'subject_kind', 'subject', 'project']).doUpdateSet(change),
    )
    .execute();
}

/** False where there was none. */
export async function removeGrant(
  db: Kysely<BotSchema>,
  grant: Pick<Grant, 'workspace' | 'subjectKind' | 'subject' | 'project'>,
): Promise<boolean> {
  const removed = await db
    .deleteFrom('access_grant')
    .where('workspace', '=', grant.workspace)
    .where('subject_kind', '=', grant.subjectKind)
    .where('subject', '=', grant.subject)
    .where('project', '=', grant.project)
    .returning('subject')
    .execute();
  return removed.length > 0;
}
