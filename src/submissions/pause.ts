import { type Nullable, type RawBuilder, type Selectable, sql } from 'kysely';
import type { ApiClient } from '../api/client.ts';
import { addMs } from '../engine/clock.ts';
import { type SendingStop, selectSendingStop } from '../engine/sending-stop.ts';
import type { Queryable } from '../store/database.ts';
import { STATES_BETWEEN_CALLS, type SubmissionRow, type SubmissionTables } from './submission.ts';
import type { SubmissionContext } from './submission-context.ts';

/**
 * A refused token leads to a pause. A 401 pauses all submissions with the token. A 403 pauses the submissions of the
 * same kind in the same project. The owners are notified. Every few minutes, one submission is sent as a probe. A
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
  const waitMs = Math.max(...pauses.map(({ probe_at }) => probe_at.getTime() - now.getTime()));
  if (waitMs > 0) return waitMs;
  const { probeIntervalMs } = context.pace;
  for (const { scope } of pauses) {
    const probe = { workspace, scope, now, nextProbeAt: addMs(now, probeIntervalMs) };
    if (!(await claimProbe(context.db, probe))) return probeIntervalMs;
  }
  return undefined;
}

/**
 * Pauses what the service would refuse too. Resolves with false if the call's client isn't current any more, for example
 * because the token was replaced.
 */
export async function pauseAfterRefusal(
  context: SubmissionContext,
  api: ApiClient,
  row: PauseTarget,
  status: number,
): Promise<boolean> {
  const { workspace, project } = row;
  const current = await context.findApiClient(workspace, project ?? undefined);
  if (current?.credential !== api.credential) return false;
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
  const text = OWNER_TEXT[status] ?? 'The scheduling service refuses my access.';
  try {
    await context.notifyOwners(workspace, { text }, isTokenRefused ? (api.tokenProjectId ?? '') : undefined);
  } catch (error) {
    context.log.error({ workspace, err: error }, 'could not notify owners about a refused token');
  }
  return true;
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

type ServicePause = Selectable<SubmissionTables['service_pause']>;
/** A pause of one token, or of one kind of submission in one project. See `buildPauseScopes`. */
type PauseKey = Pick<ServicePause, 'workspace' | 'scope'>;

type ActivePause = Pick<ServicePause, 'scope' | 'probe_at'>;

/** Finds the stop of a project (see `findSendingStop`), and the active pauses of several scopes. */
export async function findStopAndPauses(
  db: Queryable<SubmissionTables>,
  { workspace, project, scopes }: { workspace: string; project: string | null; scopes: readonly string[] },
): Promise<{ stop: SendingStop | undefined; pauses: ActivePause[] }> {
  // The status of a pause is 0 after its end.
  const { rows } = await sql<Nullable<SendingStop & ActivePause>>`
    select reason, since, stopped_by, scope, probe_at
    from (${selectSendingStop(workspace, project)}) as stop
    full join (
      select scope, probe_at from service_pause
      where workspace = ${workspace} and scope = any(${[...scopes]}::text[]) and status > 0
    ) as pause on true`.execute(db);
  const [{ reason = null, since = null, stopped_by = null } = {}] = rows;
  return {
    stop: reason === null || since === null ? undefined : { reason, since, stopped_by },
    pauses: rows.flatMap(({ scope, probe_at }) =>
      scope === null || probe_at === null ? [] : [{ scope, probe_at }],
    ),
  };
}

/**
 * Whether the service refuses a project's submissions of one of these kinds, as far as they were sent. `isTokenAccepted`:
 * whether it has just accepted the token for something else, so that only a refused right counts.
 */
export async function isPaused(
  db: Queryable<SubmissionTables>,
  api: ApiClient,
  submissions: { workspace: string; project: string; kinds: readonly string[]; isTokenAccepted: boolean },
): Promise<boolean> {
  const { workspace, project, kinds, isTokenAccepted } = submissions;
  const rights = kinds.map((kind) => buildRightsScope({ workspace, project, kind }));
  const scopes = isTokenAccepted ? rights : [buildTokenScope(api), ...rights];
  return (await findStopAndPauses(db, { workspace, project, scopes })).pauses.length > 0;
}

/** Pauses a scope. An active pause keeps the time of the next probe. */
export async function pauseScope(
  db: Queryable<SubmissionTables>,
  { workspace, scope, status, now, probeAt }: PauseKey & { status: number; now: Date; probeAt: Date },
): Promise<void> {
  await db
    .insertInto('service_pause')
    .values({ workspace, scope, status, since: now, probe_at: probeAt })
    .onConflict((conflict) =>
      conflict.columns(['workspace', 'scope']).doUpdateSet({
        status,
        probe_at: sql`case when service_pause.status > 0 and service_pause.probe_at > ${now}
          then service_pause.probe_at else ${probeAt} end`,
      }),
    )
    .execute();
}

/** Claims the due probe of a scope, and schedules the next for `nextProbeAt`. False if another caller claimed it. */
async function claimProbe(
  db: Queryable<SubmissionTables>,
  probe: PauseKey & { now: Date; nextProbeAt: Date },
): Promise<boolean> {
  const result = await db
    .updateTable('service_pause')
    .set({ probe_at: probe.nextProbeAt })
    .where(({ and }) => and({ workspace: probe.workspace, scope: probe.scope }))
    .where('probe_at', '<=', probe.now)
    .executeTakeFirst();
  return result.numUpdatedRows > 0n;
}

/** Ends pauses. Without `scopes`, all pauses of the workspace end. Resolves with false if there was no pause. */
async function endPauses(
  db: Queryable<SubmissionTables>,
  filter: { workspace: string; scopes?: readonly string[] | undefined; now: Date },
): Promise<boolean> {
  const { scopes } = filter;
  const result = await db
    .updateTable('service_pause')
    .set({ status: 0, probe_at: filter.now })
    .where('workspace', '=', filter.workspace)
    .$if(scopes !== undefined, (query) => query.where('scope', 'in', scopes ?? []))
    .where('status', '>', 0)
    .executeTakeFirst();
  return result.numUpdatedRows > 0n;
}

type TenantProject = Pick<SubmissionRow, 'workspace' | 'project'>;

export function findWaitingProjects(
  db: Queryable<SubmissionTables>,
  { workspace, now }: { workspace: string; now: Date },
): Promise<TenantProject[]> {
  return db
    .selectFrom('submission')
    .select(['workspace', 'project'])
    .distinct()
    .where(({ and }) => and({ workspace, state: 'retryable' }))
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

/** Makes all waiting submissions of a workspace, or of its project, due, except submissions with a call in progress. */
export async function wakeWaitingRows(
  db: Queryable<SubmissionTables>,
  { workspace, project, now }: { workspace: string; project?: string; now: Date },
): Promise<void> {
  const ofProject = project === undefined ? sql`` : sql`and project = ${project}`;
  const waiting = sql`workspace = ${workspace} ${ofProject} and state in (${sql.join(STATES_BETWEEN_CALLS)})`;
  await wakeRows(db, waiting, now);
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
