import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { BotSchema } from '../../store/schema.ts';
import { notSetAside } from './not-set-aside.ts';
import type { NoticeTable } from './notices.ts';

/** The fairness key of claims: the destination of rows and their tenant. */
export interface Pair {
  endpoint: string;
  workspace: string;
}

/** The maximum number of rows to claim for a pair. */
export interface Grant extends Pair {
  slots: number;
}

/** The rows that may be claimed. */
export interface Claimable {
  table: string;
  /** The states that wait for Upnext and are known to this version. */
  states: readonly string[];
  /** Ids that are set aside. */
  setAside: readonly string[];
  /** The columns to compare with them. */
  setAsideBy: readonly string[];
}

/**
 * Page size of `duePairs`. With more due rows than this, it returns the pairs of the oldest rows and a page of further
 * pairs.
 */
const PAGE = 500;

/** The pairs with due rows. `after` continues where the previous page of a backlog ended. */
export async function duePairs(
  db: Kysely<BotSchema>,
  { table }: Pick<Claimable, 'table'>,
  { at, after }: { at: Date; after: Pair },
): Promise<{ pairs: Pair[]; next: Pair | undefined }> {
  const from = sql.table(table);
  const { rows } = await sql<Pair & { n: number; is_due: boolean }>`
    with recursive oldest as materialized (
      select endpoint, workspace from ${from} where next_at <= ${at} order by next_at limit ${PAGE}
    ), pair(endpoint, workspace, n) as (
      (select endpoint, workspace, 1 from ${from}
        where next_at is not null and (endpoint, workspace) > (${after.endpoint}, ${after.workspace})
          and (select count(*) from oldest) = ${PAGE}
        order by endpoint, workspace limit 1)
      union all
      select next.endpoint, next.workspace, pair.n + 1 from pair cross join lateral (
        select endpoint, workspace from ${from}
        where next_at is not null and (endpoint, workspace) > (pair.endpoint, pair.workspace)
        order by endpoint, workspace limit 1) next
      where pair.n < ${PAGE}
    )
    select endpoint, workspace, 0 as n, true as is_due from oldest group by 1, 2
    union all
    select endpoint, workspace, n, exists (select from ${from} one
      where one.endpoint = pair.endpoint and one.workspace = pair.workspace and one.next_at <= ${at})
    from pair`.execute(db);
  const seen = new Map<string, Pair>();
  for (const { endpoint, workspace, is_due } of rows) {
    if (is_due) seen.set(JSON.stringify([endpoint, workspace]), { endpoint, workspace });
  }
  const last = rows.find(({ n }) => n === PAGE);
  return { pairs: [...seen.values()], next: last && { endpoint: last.endpoint, workspace: last.workspace } };
}

/** Claims the oldest due rows of each grant until `leaseUntil`. */
export async function claimRows<Row>(
  db: Kysely<BotSchema>,
  of: Claimable,
  { grants, at, leaseUntil }: { grants: readonly Grant[]; at: Date; leaseUntil: Date },
): Promise<Row[]> {
  if (grants.length === 0) return [];
  const table = sql.table(of.table);
  const { rows } = await sql<Row>`
    with turn as (
      select * from jsonb_to_recordset(${JSON.stringify(grants)}::jsonb)
        as turn(endpoint text, workspace text, slots int)
    ), picked as materialized (
      select due.id from turn cross join lateral (
        select id from ${table}
        where endpoint = turn.endpoint and workspace = turn.workspace and next_at <= ${at}
          and (lease_until is null or lease_until <= ${at}) and ${isKnown(of)}
        order by next_at limit turn.slots for update skip locked) due
    )
    update ${table} set lease_until = ${leaseUntil}, next_at = ${leaseUntil}, fence = fence + 1
    where id in (select id from picked) returning *`.execute(db);
  return rows;
}

/** The earliest moment of each kind of work; undefined for none. */
interface Moments {
  /** A due row. */
  due?: Date;
  /** A notification. */
  notice?: Date;
  /** Work for the definition's `prepare`. */
  preparation?: Date;
}

export async function nextMoments(
  db: Kysely<BotSchema>,
  of: Claimable,
  { notices, preparation }: { notices: readonly NoticeTable[]; preparation: RawBuilder<unknown> | undefined },
): Promise<Moments> {
  const noticeTimes = notices.map(
    ({ table, setAsideBy }) =>
      sql`(select min(notify_at) from ${sql.table(table)} where ${notSetAside(setAsideBy, of.setAside)})`,
  );
  const { rows } = await sql<{ due: Date | null; notice: Date | null; preparation: Date | null }>`
    select (select min(next_at) from ${sql.table(of.table)} where next_at is not null and ${isKnown(of)}) as due,
      least(${sql.join(noticeTimes)}) as notice, ${preparation ?? sql`null::timestamptz`} as preparation`.execute(
    db,
  );
  return Object.fromEntries(Object.entries(rows[0] ?? {}).filter(([, at]) => at !== null));
}

/** Gives up a claim, so that another instance may claim the row at once. */
export async function releaseRow(
  db: Kysely<BotSchema>,
  table: string,
  { id, fence, at }: { id: string; fence: number; at: Date },
): Promise<void> {
  await sql`update ${sql.table(table)} set lease_until = null, next_at = ${at}
    where id = ${id} and fence = ${fence} and lease_until is not null`.execute(db);
}

function isKnown({ states, setAside, setAsideBy }: Claimable): RawBuilder<unknown> {
  return sql`state in (${sql.join(states)}) and ${notSetAside(setAsideBy, setAside)}`;
}
