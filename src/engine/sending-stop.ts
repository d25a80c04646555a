import { type Kysely, type QueryExecutorProvider, sql } from 'kysely';
import { repeatAfterDeadlock } from '../store/locks.ts';
import type { Storage } from './capability.ts';
import { DATABASE_TIME } from './clock.ts';
import { filterStates } from './lifecycle.ts';
import { endClaims } from './sql/bulk-transitions.ts';
import type { EngineTables } from './tables.ts';

export interface SendingStop {
  /** The text of the person who stopped sending; '' if there is none. */
  reason: string;
  since: Date;
  /** The Slack id of the person who stopped the project; null for an operator's stop of all sending. */
  stopped_by: string | null;
}

export interface StoppableProject {
  workspace: string;
  /** The project's id in the service. */
  project: string;
}

const ALL_SENDING: StoppableProject = { workspace: '', project: '' };

/** Stops sending everything, or a project's posts. Resolves with false if that was stopped already. */
export async function stopSending(
  db: Kysely<EngineTables>,
  stop: { reason: string; since: Date; stoppedBy?: string },
  stopped: StoppableProject = ALL_SENDING,
): Promise<boolean> {
  const { reason, since, stoppedBy = null } = stop;
  const result = await db
    .insertInto('sending_stop')
    .values({ workspace: stopped.workspace, project: stopped.project, reason, since, stopped_by: stoppedBy })
    .onConflict((conflict) => conflict.columns(['workspace', 'project']).doNothing())
    .executeTakeFirst();
  return (result.numInsertedOrUpdatedRows ?? 0n) > 0n;
}

/** What a stop needs to know of a capability. */
export type StoppableCapability = Pick<Storage<string, never>, 'table' | 'lifecycle' | 'stopped'>;

/**
 * Stops all sending. When this resolves, nothing can become `sending`: as with the stop of a project, all claims end
 * after the stop is committed, so a statement that began before it fails its compare-and-set.
 */
export async function stopAllSending(
  db: Kysely<EngineTables>,
  capabilities: readonly StoppableCapability[],
  stop: { reason: string; since: Date },
): Promise<void> {
  await stopSending(db, stop);
  for (const { table, lifecycle } of capabilities) {
    const states = filterStates(lifecycle, ({ waitsFor, nextStates }) => {
      return waitsFor === 'upnext' && nextStates.some((state) => lifecycle[state]?.sends);
    });
    if (states.length > 0) await endClaims(db, { table }, { states, where: sql`true`, now: DATABASE_TIME });
  }
}

/**
 * Resumes sending, and makes the rows that wait for it due. Ends the claim of an instance that has read the stop, and
 * would make its row wait again. The period for retries of these rows begins anew. With `since`, only a stop that began
 * at that time ends. Resolves with false if none has ended.
 */
export function resumeSending(
  db: Kysely<EngineTables>,
  capabilities: readonly StoppableCapability[],
  now: Date,
  { workspace, project, since }: StoppableProject & { since?: Date } = ALL_SENDING,
): Promise<boolean> {
  const resume = async (trx: Kysely<EngineTables>) => {
    const deletedStops = await trx
      .deleteFrom('sending_stop')
      .where(({ and }) => and({ workspace, project }))
      .$if(since !== undefined, (query) => query.where('since', '=', since ?? now))
      .returning('project')
      .execute();
    if (deletedStops.length === 0) return false;
    const ofProject = workspace === '' ? sql`` : sql`and workspace = ${workspace} and project = ${project}`;
    for (const { table, stopped } of capabilities)
      if (stopped)
        await sql`update ${sql.table(table)} set next_at = ${now}, retrying_since = ${now}, lease_until = null, fence = fence + 1
          where state = ${stopped.state} and reason = ${stopped.reason} ${ofProject}`.execute(trx);
    return true;
  };
  return repeatAfterDeadlock(() => db.transaction().execute(resume));
}

/**
 * Finds the stop of all sending, or else the stop of the project. Without a project, only a stop of all sending counts.
 * Resolves with undefined if nothing is stopped.
 */
export async function findSendingStop(
  db: QueryExecutorProvider,
  subject?: { workspace: string; project: string | null },
): Promise<SendingStop | undefined> {
  const { workspace = null, project = null } = subject ?? {};
  const { rows } = await selectSendingStop(workspace, project).execute(db);
  return rows[0];
}

/** SQL of `findSendingStop`. Has at most one row. */
export function selectSendingStop(workspace: string | null, project: string | null) {
  return sql<SendingStop>`select reason, since, stopped_by from sending_stop stop
    where stop.workspace = '' or (stop.workspace = ${workspace} and stop.project = ${project})
    order by stop.workspace = '' desc limit 1`;
}

export function listStoppedProjects(
  db: Kysely<EngineTables>,
  workspace: string,
): Promise<(SendingStop & { project: string })[]> {
  return db
    .selectFrom('sending_stop')
    .select(['project', 'reason', 'since', 'stopped_by'])
    .where('workspace', '=', workspace)
    .orderBy('since')
    .execute();
}
