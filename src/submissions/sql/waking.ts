import type { Kysely } from 'kysely';
import type { BotSchema } from '../../store/schema.ts';
import { STATES_BETWEEN_CALLS } from '../lifecycle.ts';
import type { SubmissionRow } from './submissions.ts';

type TenantProject = Pick<SubmissionRow, 'workspace' | 'project'>;

/** Finds the projects with submissions waiting for an unreachable service. */
export function findWaitingProjects(
  db: Kysely<BotSchema>,
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
  db: Kysely<BotSchema>,
  { workspace, project }: TenantProject,
  now: Date,
): Promise<void> {
  await db
    .updateTable('submission')
    .set({ next_at: now })
    .where('workspace', '=', workspace)
    .where('project', 'is not distinct from', project)
    .where('state', '=', 'retryable')
    .where('reason', 'is', null)
    .where('next_at', '>', now)
    .execute();
}

/** Makes all waiting submissions of a workspace due, except submissions with a call in progress. */
export async function wakeWaitingRows(
  db: Kysely<BotSchema>,
  { workspace, now }: { workspace: string; now: Date },
): Promise<void> {
  await db
    .updateTable('submission')
    .set({ next_at: now })
    .where('workspace', '=', workspace)
    .where('state', 'in', STATES_BETWEEN_CALLS)
    .where('next_at', '>', now)
    .execute();
}
