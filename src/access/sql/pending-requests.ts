import type { Kysely } from 'kysely';
import { isRole, type Role } from '../roles.ts';
import type { AccessTables } from '../tables.ts';
import { computeOldestValidTime } from './access-requests.ts';

/** A person's request for a role that no owner has answered yet. */
export interface PendingRequest {
  role: Role;
  /** The project's id in the service; '' for the whole workspace. */
  project: string;
  requestedAt: Date;
}

/** Lists a person's pending requests, newest first. */
export async function listPendingRequests(
  db: Kysely<AccessTables>,
  { workspace, person, now }: { workspace: string; person: string; now: Date },
): Promise<PendingRequest[]> {
  const rows = await db
    .selectFrom('access_request')
    .select(['role', 'project', 'requested_at'])
    .where('workspace', '=', workspace)
    .where('person', '=', person)
    .where('requested_at', 'is not', null)
    .where('answer', 'is', null)
    .where('created_at', '>=', computeOldestValidTime(now))
    .orderBy('requested_at', 'desc')
    .execute();
  return rows.flatMap(({ role, project, requested_at: requestedAt }) =>
    isRole(role) && requestedAt ? [{ role, project, requestedAt }] : [],
  );
}
