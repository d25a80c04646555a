import { type QueryExecutorProvider, type RawBuilder, sql } from 'kysely';
import { toJsonParameter } from '../../store/column-values.ts';
import { excludeIds } from '../exclusions.ts';
import type { NotificationTable } from './notifications.ts';

/** The endpoint and the workspace of due rows. Such pairs take turns, so that no pair delays the others. */
export interface EndpointWorkspace {
  endpoint: string;
  workspace: string;
}

/** A pair and the maximum number of its rows to claim. */
export interface SlotAllocation extends EndpointWorkspace {
  slots: number;
}

/** The rows of a table that may be claimed. */
export interface ClaimFilter {
  table: string;
  /** The states that wait for Upnext and are known to this version. */
  states: readonly string[];
  /** The ids of excluded rows. */
  excludedIds: readonly string[];
  /** The columns to compare with `excludedIds`. */
  exclusionColumns: readonly string[];
}

/** Page size of `findDuePairs`: the maximum number of oldest due rows, and of additional pairs, that one call reads. */
const PAGE_SIZE = 500;

/**
 * Finds pairs with due rows. Reads the `PAGE_SIZE` oldest due rows. If there are that many, other workspaces may have due
 * rows too, so it also reads a page of all pairs. `after` is the last pair of the previous page, and `next` the last pair
 * of this one.
 */
export async function findDuePairs(
  db: QueryExecutorProvider,
  { table }: Pick<ClaimFilter, 'table'>,
  { now, after }: { now: Date; after: EndpointWorkspace },
): Promise<{ pairs: EndpointWorkspace[]; next: EndpointWorkspace | undefined }> {
  const source = sql.table(table);
  const { rows } = await sql<EndpointWorkspace & { position: number; is_due: boolean }>`
    with recursive oldest as materialized (
      select endpoint, workspace from ${source} where next_at <= ${now} order by next_at limit ${PAGE_SIZE}
    ), pair(endpoint, workspace, position) as (
      (select endpoint, workspace, 1 from ${source}
        where next_at is not null and (endpoint, workspace) > (${after.endpoint}, ${after.workspace})
          and (select count(*) from oldest) = ${PAGE_SIZE}
        order by endpoint, workspace limit 1)
      union all
      select next.endpoint, next.workspace, pair.position + 1 from pair cross join lateral (
        select endpoint, workspace from ${source}
        where next_at is not null and (endpoint, workspace) > (pair.endpoint, pair.workspace)
        order by endpoint, workspace limit 1) next
      where pair.position < ${PAGE_SIZE}
    )
    select endpoint, workspace, 0 as position, true as is_due from oldest group by 1, 2
    union all
    select endpoint, workspace, position, exists (select from ${source} due_row
      where due_row.endpoint = pair.endpoint and due_row.workspace = pair.workspace and due_row.next_at <= ${now})
    from pair`.execute(db);
  const pairs = new Map<string, EndpointWorkspace>();
  for (const { endpoint, workspace, is_due } of rows) {
    if (is_due) pairs.set(JSON.stringify([endpoint, workspace]), { endpoint, workspace });
  }
  const lastPair = rows.find(({ position }) => position === PAGE_SIZE);
  return {
    pairs: [...pairs.values()],
    next: lastPair && { endpoint: lastPair.endpoint, workspace: lastPair.workspace },
  };
}

/** Claims the oldest due rows of each allocation until `leaseUntil`. */
export async function claimRows<Row>(
  db: QueryExecutorProvider,
  filter: ClaimFilter,
  { allocations, now, leaseUntil }: { allocations: readonly SlotAllocation[]; now: Date; leaseUntil: Date },
): Promise<Row[]> {
  if (allocations.length === 0) return [];
  const table = sql.table(filter.table);
  const { rows } = await sql<Row>`
    with turn as (
      select * from jsonb_to_recordset(${toJsonParameter(allocations)}::jsonb)
        as turn(endpoint text, workspace text, slots int)
    ), picked as materialized (
      select due.id from turn cross join lateral (
        select id from ${table}
        where endpoint = turn.endpoint and workspace = turn.workspace and next_at <= ${now}
          and (lease_until is null or lease_until <= ${now}) and ${buildClaimCondition(filter)}
        order by next_at limit turn.slots for update skip locked) due
    )
    update ${table} set lease_until = ${leaseUntil}, next_at = ${leaseUntil}, fence = fence + 1
    where id in (select id from picked) returning *`.execute(db);
  return rows;
}

/** The earliest time of each kind of work; undefined if there is none. */
interface NextTimes {
  /** When the next row is due. */
  due?: Date;
  /** When the next notification is due. */
  notification?: Date;
  /** When the definition's `createDueRows` has rows to create. */
  creation?: Date;
}

/** Finds the next times of all kinds of work with one statement. */
export async function findNextTimes(
  db: QueryExecutorProvider,
  filter: ClaimFilter,
  {
    notificationTables,
    creation,
  }: { notificationTables: readonly NotificationTable[]; creation: RawBuilder<unknown> | undefined },
): Promise<NextTimes> {
  const notificationTimes = notificationTables.map(
    ({ table, exclusionColumns }) =>
      sql`(select min(notify_at) from ${sql.table(table)}
        where ${excludeIds(exclusionColumns, filter.excludedIds)})`,
  );
  const { rows } = await sql<{ due: Date | null; notification: Date | null; creation: Date | null }>`
    select (select min(next_at) from ${sql.table(filter.table)}
        where next_at is not null and ${buildClaimCondition(filter)}) as due,
      least(${sql.join(notificationTimes)}) as notification,
      ${creation ?? sql`null::timestamptz`} as creation`.execute(db);
  return Object.fromEntries(Object.entries(rows[0] ?? {}).filter(([, time]) => time !== null));
}

/** Ends a claim early, so that another instance can claim the row at once. */
export async function releaseRow(
  db: QueryExecutorProvider,
  table: string,
  { id, fence, now }: { id: string; fence: number; now: Date },
): Promise<void> {
  await sql`update ${sql.table(table)} set lease_until = null, next_at = ${now}
    where id = ${id} and fence = ${fence} and lease_until is not null`.execute(db);
}

/** SQL condition for rows that this version and instance may claim. */
function buildClaimCondition({ states, excludedIds, exclusionColumns }: ClaimFilter): RawBuilder<unknown> {
  return sql`state in (${sql.join(states)}) and ${excludeIds(exclusionColumns, excludedIds)}`;
}
