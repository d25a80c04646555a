import { type QueryExecutorProvider, type RawBuilder, sql } from 'kysely';
import { toJsonParameter } from '../../store/column-values.ts';
import { excludeIds } from '../exclusions.ts';

/** The compare-and-set of one row, which must still have this fence and state. */
export interface RowTransition {
  id: string;
  fence: number;
  fromState: string;
  /** Whether the new state is a sending state. No row enters one while all sending, or its project, is stopped. */
  isSendingState: boolean;
  /** The id of the row's project. */
  project: string | undefined;
  /** The columns that change, by name. */
  change: Changes;
  /** Data for `companionQuery`. */
  companionData?: Readonly<Record<string, unknown>> | undefined;
}

/**
 * Applies transitions in one statement and resolves with the changed rows. If a row is missing from the result, another
 * instance has changed it, or sending is stopped. `companionQuery` is a further `with` query that changes another table. The
 * query may read `changed` (the changed rows) and `v` (the transitions with their companion data).
 */
export async function applyTransitions<Row>(
  db: QueryExecutorProvider,
  table: string,
  transitions: readonly RowTransition[],
  companionQuery?: RawBuilder<unknown>,
): Promise<Row[]> {
  const ids = transitions.map(({ id }) => id);
  // Postgres expects 100 rows from any JSON, so it would read a small table as a whole. The list of ids prevents that.
  const { rows } = await sql<Row>`
    with v as (
      select * from jsonb_to_recordset(${toJsonParameter(transitions)}::jsonb)
        as v(id text, fence int, "fromState" text, "isSendingState" boolean, project text, change jsonb,
          "companionData" jsonb)
    ), changed as (
      update ${sql.table(table)} t
      set ${assignChanges(transitions)}
      from v where t.id in (${sql.join(ids)}) and t.id = v.id and t.fence = v.fence and t.state = v."fromState"
        and (not v."isSendingState" or not exists (
          select from sending_stop s where s.workspace = '' or (s.workspace = t.workspace and s.project = v.project)))
      returning t.*
    )${companionQuery ? sql`, companion as (${companionQuery})` : sql``}
    select * from changed`.execute(db);
  return rows;
}

/** New values by column name. */
export type Changes = Readonly<Record<string, unknown>>;

/** SQL that assigns the JSON object `v.change` to the row `t`. Columns that aren't in the object don't change. */
export function assignChanges(rows: readonly { change: Changes }[]): RawBuilder<unknown> {
  const names = [...new Set(rows.flatMap(({ change }) => Object.keys(change)))];
  const columns = sql.join(names.map((name) => sql.ref(name)));
  return sql`(${columns}) = (select ${columns} from jsonb_populate_record(t, v.change))`;
}

/** A table with pending notifications. */
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
}

interface NotificationClaim {
  now: Date;
  /** End of the claim. */
  claimedUntil: Date;
  maxRows: number;
  /** Maximum number of different values of `groupColumn`. */
  maxGroups: number;
  excludedIds: readonly string[];
}

/**
 * Number of due rows from which a claim chooses, the oldest first. More than a claim's `maxRows`, so that rows of the same
 * group share a notification even if other groups' rows are between them. Rows with the same due time are sorted by
 * group, so a group isn't split by the limit unless it is at its end. After an outage more rows may be due, and a group
 * may get several notifications.
 */
const MAX_CANDIDATE_ROWS = 1_000;

/**
 * Claims rows with due notifications. `notifying_since` is the time of the first claim. If it is earlier than `now`,
 * the notification may have been sent already.
 */
export async function claimNotificationRows<Row>(
  db: QueryExecutorProvider,
  source: NotificationTable,
  claim: NotificationClaim,
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
    update ${table} set notify_at = ${claim.claimedUntil}, notifying_since = coalesce(notifying_since, ${claim.now})
    where id = any(array(
      select id from ${table} where id in (select id from picked) and ${isDue} for update skip locked))
    returning *`.execute(db);
  return rows;
}

/**
 * Clears pending notifications that were sent or are obsolete. Skips rows that were claimed or changed their state since the
 * caller read them, so that no newer notification is lost. `change` has further changes of the rows. Resolves with the
 * number of cleared notifications.
 */
export function clearNotificationRows(
  db: QueryExecutorProvider,
  table: string,
  known: KnownNotifications | readonly KnownNotifications[],
  change: Changes = {},
): Promise<number> {
  return updateNotificationRows(db, table, known, { ...change, notify_at: null, notifying_since: null });
}

/**
 * Postpones notifications to `notifyAt`, or claims them until then. Skips the same rows as `clearNotificationRows`.
 * Resolves with the number of changed rows.
 */
export function postponeNotificationRows(
  db: QueryExecutorProvider,
  table: string,
  known: KnownNotifications,
  { notifyAt, ...change }: { notifyAt: Date; notify_attempts?: unknown; notifying_since?: Date },
): Promise<number> {
  return updateNotificationRows(db, table, known, { ...change, notify_at: notifyAt });
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

async function updateNotificationRows(
  db: QueryExecutorProvider,
  table: string,
  known: KnownNotifications | readonly KnownNotifications[],
  change: Changes,
): Promise<number> {
  const rows = [known].flat().flatMap(({ ids, notifyAt }) => ids.map((id) => ({ id, notifyAt })));
  if (rows.length === 0) return 0;
  const columns = Object.entries(change).map(([name, value]) => sql`${sql.ref(name)} = ${value}`);
  // The list of ids is for the planner, as in `applyTransitions`.
  const { numAffectedRows = 0n } = await sql`update ${sql.table(table)} t set ${sql.join(columns)}
    from jsonb_to_recordset(${toJsonParameter(rows)}::jsonb) as v(id text, "notifyAt" timestamptz)
    where t.id in (${sql.join(rows.map(({ id }) => id))}) and t.id = v.id and t.notify_at = v."notifyAt"`.execute(
    db,
  );
  return Number(numAffectedRows);
}
