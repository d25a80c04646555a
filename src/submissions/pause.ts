import type { ApiClient } from '../api/client.ts';
import { later } from '../delivery/later.ts';
import type { Machine } from './machine.ts';
import {
  claimOwnersNotification,
  claimProbe,
  endPauses,
  pauseScope,
  pausesOf,
  releaseOwnersNotification,
} from './sql/pauses.ts';
import type { SubmissionRow } from './sql/submissions.ts';
import { wakeWaiting } from './sql/waking.ts';

/**
 * A refused token pauses everything that the service would refuse as well. A 401 pauses all submissions that use the
 * token, and a 403 those of the same kind in the same project. The owners are notified once. Every few minutes one
 * submission is sent as a probe, and the first one that isn't refused ends the pause.
 */

type Pausable = Pick<SubmissionRow, 'workspace' | 'project' | 'kind'>;

/** The token is invalid, or lacks the rights. */
const NO_ACCESS: readonly number[] = [401, 403];

export function isAccessRefusal(status: number): boolean {
  return NO_ACCESS.includes(status);
}

const tokenScope = ({ tokenProjectId }: ApiClient) =>
  tokenProjectId === undefined ? 'token' : `token ${tokenProjectId}`;
const rightsScope = ({ kind, project }: Pausable) => `rights ${kind} ${project ?? ''}`;
export const pauseScopes = (api: ApiClient, row: Pausable) => [tokenScope(api), rightsScope(row)];

/** How long a submission has to wait for a pause, ms. Undefined if it may be sent, perhaps as a probe. */
export async function pausedForMs(
  machine: Machine,
  api: ApiClient,
  row: Pausable,
): Promise<number | undefined> {
  const { workspace } = row;
  const at = machine.clock();
  const next = later(at, machine.pace.probeMs);
  const pauses = await pausesOf(machine.db, { workspace, scopes: pauseScopes(api, row) });
  const waitMs = Math.max(...pauses.map(({ probe_at }) => probe_at.getTime() - at.getTime()));
  if (waitMs > 0) return waitMs;
  for (const { scope } of pauses) {
    if (!(await claimProbe(machine.db, { workspace, scope, at, next }))) return machine.pace.probeMs;
  }
  return undefined;
}

export async function pause(machine: Machine, api: ApiClient, row: Pausable, status: number): Promise<void> {
  const { workspace } = row;
  const isToken = status === 401;
  const scope = isToken ? tokenScope(api) : rightsScope(row);
  const at = machine.clock();
  await pauseScope(machine.db, { workspace, scope, status, at, probeAt: later(at, machine.pace.probeMs) });
  const before = later(at, -machine.pace.notifyOwnersAgainMs);
  if (!(await claimOwnersNotification(machine.db, { workspace, scope, at, before }))) return;
  const text = OWNER_TEXT[status] ?? 'The scheduling service refuses our access.';
  try {
    await machine.notifyOwners(workspace, { text }, isToken ? (api.tokenProjectId ?? '') : undefined);
  } catch (error) {
    machine.log.error({ workspace, err: error }, 'could not notify owners about a refused token');
    await releaseOwnersNotification(machine.db, { workspace, scope });
  }
}

/** Ends the pauses of a row that the service has accepted. */
export async function resumeAfterSuccess(machine: Machine, api: ApiClient, row: Pausable): Promise<void> {
  await resume(machine, row.workspace, pauseScopes(api, row));
}

/** Ends the pauses of a workspace, all or those of these scopes, and wakes its submissions. */
export async function resume(machine: Machine, workspace: string, scopes?: readonly string[]): Promise<void> {
  const at = machine.clock();
  if (!(await endPauses(machine.db, { workspace, scopes, at }))) return;
  // This also wakes rows that are paused for another reason. They go back to waiting.
  await wakeWaiting(machine.db, { workspace, at });
  machine.wake(at);
}

const WAITING = 'What people here submit is kept and waits; nothing is lost.';

const OWNER_TEXT: Readonly<Record<number, string>> = {
  401: `The scheduling service refuses our access token. ${WAITING} Put in a new token, and I send it.`,
  // One text for all refused rights, whichever token, project or kind they concern.
  403: `The scheduling service does not let us do everything that people here ask for: an access token has too few rights. ${WAITING} Give it more rights, or put in another with \`/upnext connect\`, and I send what waits.`,
};
