import { type QueryExecutorProvider, sql } from 'kysely';
import { toJsonParameter } from '../../store/column-values.ts';
import { excludeIds } from '../exclusions.ts';
import type { Changes } from './transitions.ts';

export interface NotificationTable {
  table: string;
  /** Columns to compare with the ids of excluded rows. */
  exclusionColumns: readonly string[];
  /** Rows of a workspace with the same value in this column share one notification. */
  groupColumn: string;
}

/** Rows with a notification, as the caller last read them. */
export interface KnownNotifications {
  ids: readonly string[];
  /** The `notify_at` of these rows. For claimed rows it is the end of the claim. */
  notifyAt: Date;
  /** The state of these rows, because two instances may claim notifications of different states in one millisecond. */
  state?: string;
}

/**
 * Number of due rows from which a claim chooses, the oldest first. More than a claim's `maxRows`, so that rows of the
 * same group share a notification even if other groups' rows are between them. Rows with the same due time are sorted
 * by group, so a group isn't split by the limit unless it is at its end. After an outage more rows may be due, and a
 * group may get several notifications.
 */
const MAX_CANDIDATE_ROWS = 1_000;

/** Claims rows with due notifications until `claimedUntil`. */
export async function claimNotifications<Row>(
  db: QueryExecutorProvider,
  source: NotificationTable,
  claim: {
    now: Date;
    claimedUntil: Date;
    maxRows: number;
    /** Maximum number of different values of `groupColumn`. */
    maxGroups: number;
    excludedIds: readonly string[];
  },
): Promise<Row[]> {
  const table = sql.table(source.table);
  const group = sql.ref(source.groupColumn);
  const isDue = sql`notify_at <= ${claim.now} and ${excludeIds(source.exclusionColumns, claim.excludedIds)}`;
  const { rows } = await sql<Row>`
    with due as materialized (
      select id, workspace, ${group} as group_key, notify_at from ${table} where ${isDue}
      order by notify_at, workspace, group_key limit ${MAX_CANDIDATE_ROWS}
    ), picked as (
      select id from due where (workspace, group_key) in (
        select workspace, group_key from due group by workspace, group_key
        order by min(notify_at), workspace, group_key limit ${claim.maxGroups})
      order by notify_at, workspace, group_key limit ${claim.maxRows}
    )
    update ${table} set notify_at = ${claim.claimedUntil}
    where id = any(array(
      select id from ${table} where id in (select id from picked) and ${isDue} for update skip locked))
    returning *`.execute(db);
  return rows;
}

/**
 * Ends pending notifications that were sent or are obsolete. Skips rows that were claimed or changed their state since
 * the caller read them, so that no newer notification is lost. `change` has further changes of the rows. Resolves with
 * the number of ended notifications.
 */
export function endNotifications(
  db: QueryExecutorProvider,
  table: string,
  known: KnownNotifications | readonly KnownNotifications[],
  change: Changes = {},
): Promise<number> {
  return updateNotifications(db, table, known, { ...change, notify_at: null, notifying_since: null });
}

/**
 * Postpones notifications to `change.notify_at`, or claims them until then. Skips the same rows as `endNotifications`.
 * Resolves with the number of changed rows.
 */
export function postponeNotifications(
  db: QueryExecutorProvider,
  table: string,
  known: KnownNotifications | readonly KnownNotifications[],
  change: Changes & { notify_at: Date },
): Promise<number> {
  return updateNotifications(db, table, known, change);
}

/** Asks for a new notification of a row that hasn't changed its state, e.g. of a comment. */
export async function requestNotification(
  db: QueryExecutorProvider,
  table: string,
  { id, workspace, notifyAt }: { id: string; workspace: string; notifyAt: Date },
): Promise<void> {
  await sql`update ${sql.table(table)} set notify_at = ${notifyAt}, notifying_since = null, notify_attempts = 0
    where id = ${id} and workspace = ${workspace}`.execute(db);
}

async function updateNotifications(
  db: QueryExecutorProvider,
  table: string,
  known: KnownNotifications | readonly KnownNotifications[],
  change: Changes,
): Promise<number> {
  const rows = [known].flat().flatMap(({ ids, ...other }) => ids.map((id) => ({ id, ...other })));
  if (rows.length === 0) return 0;
  const columns = Object.entries(change).map(([name, value]) => sql`${sql.ref(name)} = ${value}`);
  // The list of ids is for the planner, as in `applyTransitions`.
  const { numAffectedRows = 0n } = await sql`update ${sql.table(table)} t set ${sql.join(columns)}
    from jsonb_to_recordset(${toJsonParameter(rows)}::jsonb) as v(id text, "notifyAt" timestamptz, state text)
    where t.id in (${sql.join(rows.map(({ id }) => id))}) and t.id = v.id and t.notify_at = v."notifyAt"
    and (v.state is null or t.state = v.state)`.execute(db);
  return Number(numAffectedRows);
}
