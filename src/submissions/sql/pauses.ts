import { type Nullable, type Selectable, sql } from 'kysely';
import { type SendingStop, selectSendingStop } from '../../engine/sending-stop.ts';
import type { Queryable } from '../../store/database.ts';
import type { SubmissionTables } from '../submission.ts';

type ServicePause = Selectable<SubmissionTables['service_pause']>;
/** A pause of one token, or of one kind of submission in one project. See `buildPauseScopes`. */
type PauseKey = Pick<ServicePause, 'workspace' | 'scope'>;

/** An active pause and the time of its next probe. */
export type ActivePause = Pick<ServicePause, 'scope' | 'probe_at'>;

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

/** Pauses a scope. An active pause keeps the time of the next probe. */
export async function pauseScope(
  db: Queryable<SubmissionTables>,
  pause: PauseKey & { status: number; now: Date; probeAt: Date },
): Promise<void> {
  const { workspace, scope, status, now, probeAt } = pause;
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

/**
 * Claims the due probe of a scope, and schedules the next probe for `nextProbeAt`. Resolves with false if another
 * caller has claimed the probe.
 */
export async function claimProbe(
  db: Queryable<SubmissionTables>,
  probe: PauseKey & { now: Date; nextProbeAt: Date },
): Promise<boolean> {
  const result = await db
    .updateTable('service_pause')
    .set({ probe_at: probe.nextProbeAt })
    .where('workspace', '=', probe.workspace)
    .where('scope', '=', probe.scope)
    .where('probe_at', '<=', probe.now)
    .executeTakeFirst();
  return result.numUpdatedRows > 0n;
}

/**
 * Claims the notification to the owners. Resolves with false if another notification was claimed or sent after
 * `cutoff`.
 */
export async function claimOwnersNotification(
  db: Queryable<SubmissionTables>,
  notification: PauseKey & { now: Date; cutoff: Date },
): Promise<boolean> {
  const result = await db
    .updateTable('service_pause')
    .set({ notified_at: notification.now })
    .where('workspace', '=', notification.workspace)
    .where('scope', '=', notification.scope)
    .where((row) => row.or([row('notified_at', 'is', null), row('notified_at', '<=', notification.cutoff)]))
    .executeTakeFirst();
  return result.numUpdatedRows > 0n;
}

/** Releases the claim of a failed notification, so that the next refusal notifies the owners. */
export async function releaseOwnersNotification(
  db: Queryable<SubmissionTables>,
  { workspace, scope }: PauseKey,
): Promise<void> {
  await db
    .updateTable('service_pause')
    .set({ notified_at: null })
    .where('workspace', '=', workspace)
    .where('scope', '=', scope)
    .execute();
}

/**
 * Ends pauses. Without `scopes`, all pauses of the workspace end. `notified_at` doesn't change, so that an intermittent
 * failure leads to only one notification. Resolves with false if there was no pause.
 */
export async function endPauses(
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
