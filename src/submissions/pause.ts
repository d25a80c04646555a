import type { ApiClient } from '../api/client.ts';
import { addMs } from '../engine/clock.ts';
import {
  type ActivePause,
  claimOwnersNotification,
  claimProbe,
  endPauses,
  pauseScope,
  releaseOwnersNotification,
} from './sql/pauses.ts';
import { wakeWaitingRows } from './sql/waking.ts';
import type { SubmissionRow } from './submission.ts';
import type { SubmissionContext } from './submission-context.ts';

/**
 * A refused token leads to a pause. A 401 pauses all submissions with the token. A 403 pauses the submissions of the
 * same kind in the same project. The owners are notified once. Every few minutes, one submission is sent as a probe. A
 * successful probe ends the pause.
 */

type PauseTarget = Pick<SubmissionRow, 'workspace' | 'project' | 'kind'>;

const buildTokenScope = ({ tokenProjectId }: ApiClient) =>
  tokenProjectId === undefined ? 'token' : `token ${tokenProjectId}`;
const buildRightsScope = ({ kind, project }: PauseTarget) => `rights ${kind} ${project ?? ''}`;
export const buildPauseScopes = (api: ApiClient, row: PauseTarget) => [
  buildTokenScope(api),
  buildRightsScope(row),
];

/**
 * Claims the probe of each pause. Resolves with undefined if the submission may be sent as a probe, or if there is no
 * pause. Otherwise resolves with the remaining time of the pause, ms.
 */
export async function claimProbes(
  context: SubmissionContext,
  workspace: string,
  pauses: readonly ActivePause[],
): Promise<number | undefined> {
  const now = context.clock.readShared();
  const nextProbeAt = addMs(now, context.pace.probeIntervalMs);
  const waitMs = Math.max(...pauses.map(({ probe_at }) => probe_at.getTime() - now.getTime()));
  if (waitMs > 0) return waitMs;
  for (const { scope } of pauses) {
    if (!(await claimProbe(context.db, { workspace, scope, now, nextProbeAt })))
      return context.pace.probeIntervalMs;
  }
  return undefined;
}

/** Begins a pause and notifies the owners. */
export async function pauseAfterRefusal(
  context: SubmissionContext,
  api: ApiClient,
  row: PauseTarget,
  status: number,
): Promise<void> {
  const { workspace } = row;
  const isTokenRefused = status === 401;
  const scope = isTokenRefused ? buildTokenScope(api) : buildRightsScope(row);
  const now = context.clock.readShared();
  await pauseScope(context.db, {
    workspace,
    scope,
    status,
    now,
    probeAt: addMs(now, context.pace.probeIntervalMs),
  });
  const cutoff = addMs(now, -context.pace.ownerNotificationIntervalMs);
  if (
    !(await claimOwnersNotification(context.db, {
      workspace,
      scope,
      now,
      cutoff,
    }))
  )
    return;
  const text = OWNER_TEXT[status] ?? 'The scheduling service refuses my access.';
  try {
    await context.notifyOwners(workspace, { text }, isTokenRefused ? (api.tokenProjectId ?? '') : undefined);
  } catch (error) {
    context.log.error({ workspace, err: error }, 'could not notify owners about a refused token');
    await releaseOwnersNotification(context.db, { workspace, scope });
  }
}

/** Ends the pauses of a row after a successful call, and wakes waiting submissions. */
export async function resumeAfterSuccess(
  context: SubmissionContext,
  api: ApiClient,
  row: PauseTarget,
): Promise<void> {
  await endPausesAndWake(context, row.workspace, buildPauseScopes(api, row));
}

/** Ends pauses of a workspace and wakes waiting submissions. Without `scopes`, all pauses end. */
export async function endPausesAndWake(
  context: SubmissionContext,
  workspace: string,
  scopes?: readonly string[],
): Promise<void> {
  const now = context.clock.readShared();
  if (!(await endPauses(context.db, { workspace, scopes, now }))) return;
  // Also wakes rows with another reason to wait. After the next step, they wait again.
  await wakeWaitingRows(context.db, { workspace, now });
  context.verbs.wake(now);
}

const WAITING_TEXT = 'Posts stay saved and nothing is lost.';

const OWNER_TEXT: Readonly<Record<number, string>> = {
  401: `The scheduling service refuses my access token. ${WAITING_TEXT} Replace the token, and I’ll send them.`,
  // One text for all missing rights.
  403: `My access token isn’t allowed to do everything people ask for. ${WAITING_TEXT} Replace it with \`/upnext connect\`, and I’ll send them.`,
};
