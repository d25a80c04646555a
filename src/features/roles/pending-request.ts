import { includesRole, listPendingRequests, type PendingRequest, type Role } from '../../access/access.ts';
import { DAY_MS } from '../../durations.ts';
import type { Call } from '../../handlers/call.ts';

/** Minimum interval between a person's requests for the same role in the same project. */
export const MIN_REPEAT_INTERVAL_MS = DAY_MS;

/** Whether a request has been waiting for so long that the person may send it again. */
export function mayRepeatRequest({ requestedAt }: PendingRequest, now: Date): boolean {
  return requestedAt.getTime() <= now.getTime() - MIN_REPEAT_INTERVAL_MS;
}

/** Finds the actor's newest pending request for this role or a higher one, in the project or the whole workspace. */
export async function findPendingRequest(
  call: Call,
  role: Role,
  project = '',
): Promise<PendingRequest | undefined> {
  const { workspace, user: person } = call.actor;
  const requests = await listPendingRequests(call.context.db, { workspace, person, now: call.now() });
  return requests.find(
    (request) => includesRole(request.role, role) && ['', project].includes(request.project),
  );
}
