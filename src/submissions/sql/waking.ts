import { type RawBuilder, sql } from 'kysely';
import type { Queryable } from '../../store/database.ts';
import { STATES_BETWEEN_CALLS, type SubmissionRow, type SubmissionTables } from '../submission.ts';

type TenantProject = Pick<SubmissionRow, 'workspace' | 'project'>;

/** Finds the projects with submissions waiting for an unreachable service. */
export function findWaitingProjects(
  db: Queryable<SubmissionTables>,
  { workspace, now }: { workspace: string; now: Date },
): Promise<TenantProject[]> {
  return db
    .selectFrom('submission')
    .select(['workspace', 'project'])
    .distinct()
    .where('workspace', '=', workspace)
    .where('state', '=', 'retryable')
    .where('reason', 'is', null)
    .where('next_at', '>', now)
    .execute();
}

/** Makes the retryable submissions of a project due, because the service has recovered. */
export async function wakeRetryableRows(
  db: Queryable<SubmissionTables>,
  { workspace, project }: TenantProject,
  now: Date,
): Promise<void> {
  await wakeRows(
    db,
    sql`workspace = ${workspace} and project is not distinct from ${project}
      and state = 'retryable' and reason is null`,
    now,
  );
}

/** Makes all waiting submissions of a workspace due, except submissions with a call in progress. */
export async function wakeWaitingRows(
  db: Queryable<SubmissionTables>,
  { workspace, now }: { workspace: string; now: Date },
): Promise<void> {
  await wakeRows(db, sql`workspace = ${workspace} and state in (${sql.join(STATES_BETWEEN_CALLS)})`, now);
}

/** Maximum number of rows that one statement makes due. */
const BATCH_SIZE = 50;

/**
 * Makes rows due, in any order, because sorting them would read all waiting rows of a workspace for each batch. A row that
 * somebody is changing gets a new time anyway.
 */
async function wakeRows(
  db: Queryable<SubmissionTables>,
  condition: RawBuilder<unknown>,
  now: Date,
): Promise<void> {
  for (let wokenCount = BATCH_SIZE; wokenCount === BATCH_SIZE; ) {
    const result = await sql`update submission set next_at = ${now} where id = any(array(
      select id from submission where ${condition} and next_at > ${now}
      limit ${BATCH_SIZE} for update skip locked))`.execute(db);
    wokenCount = Number(result.numAffectedRows ?? 0);
  }
}
