import type { Kysely } from 'kysely';
import type { BotSchema } from '../../store/schema.ts';
import { BETWEEN_CALLS } from '../lifecycle.ts';
import type { SubmissionRow } from './submissions.ts';

type TenantProject = Pick<SubmissionRow, 'workspace' | 'project'>;

/** The projects of a tenant in which something waits because a service was out of reach. */
export function waitingProjects(
  db: Kysely<BotSchema>,
  { workspace, at }: { workspace: string; at: Date },
): Promise<TenantProject[]> {
  return db
    .selectFrom('submission')
    .select(['workspace', 'project'])
    .distinct()
    .where('workspace', '=', workspace)
    .where('state', '=', 'retryable')
    .where('why', 'is', null)
    .where('next_at', '>', at)
    .execute();
}

/** The service of this project is back: what waited for it is due. */
export async function wakeRetryable(db: Kysely<BotSchema>, tenant: TenantProject, at: Date): Promise<void> {
  await db
    .updateTable('submission')
    .set({ next_at: at })
    .where('workspace', '=', tenant.workspace)
    .where('project', 'is not distinct from', tenant.project)
    .where('state', '=', 'retryable')
    .where('why', 'is', null)
    .where('next_at', '>', at)
    .execute();
}

/** Brings rows forward that wait for a better moment. */
export async function wakeWaiting(
  db: Kysely<BotSchema>,
  wake: { workspace: string; at: Date },
): Promise<void> {
  await db
    .updateTable('submission')
    .set({ next_at: wake.at })
    .where('workspace', '=', wake.workspace)
    .where('state', 'in', BETWEEN_CALLS)
    .where('next_at', '>', wake.at)
    .execute();
}
