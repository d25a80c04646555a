import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { BotSchema } from '../../store/schema.ts';
import { notAside } from './not-aside.ts';
import type { NoticeTable } from './notices.ts';

/** Where rows go, and whose they are: the fairness key of claims. */
export interface Pair {
  endpoint: string;
  workspace: string;
}

/** So many rows of this pair, at most. */
export interface Grant extends Pair {
  slots: number;
}

/** Which rows may be claimed. */
export interface Claimable {
  table: string;
  /** The states that wait for us, as far as this version knows. */
  states: readonly string[];
  /** Rows that are left out, and the columns in which their ids are looked for. */
  setAside: readonly string[];
  asideBy: readonly string[];
}

/** Pairs of one look. Beyond 500 due rows, the oldest of them and the next pairs from a cursor. */
const PAGE = 500;

/** The pairs that have due rows; `after` continues a backlog where the last look ended. */
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

/** The oldest due rows of each grant, for the caller alone until `leaseUntil`. */
export async function takeRows<Row>(
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

/** What comes first; undefined where nothing waits. */
interface Moments {
  /** A row goes on. */
  due?: Date;
  /** Somebody is to be notified. */
  tells?: Date;
  /** The definition has something to prepare. */
  beside?: Date;
}

export async function nextMoments(
  db: Kysely<BotSchema>,
  of: Claimable,
  { notices, beside }: { notices: readonly NoticeTable[]; beside: RawBuilder<unknown> | undefined },
): Promise<Moments> {
  const tells = notices.map(
    ({ table, asideBy }) =>
      sql`(select min(tell_at) from ${sql.table(table)} where ${notAside(asideBy, of.setAside)})`,
  );
  const { rows } = await sql<{ due: Date | null; tells: Date | null; beside: Date | null }>`
    select (select min(next_at) from ${sql.table(of.table)} where next_at is not null and ${isKnown(of)}) as due,
      least(${sql.join(tells)}) as tells, ${beside ?? sql`null::timestamptz`} as beside`.execute(db);
  return Object.fromEntries(Object.entries(rows[0] ?? {}).filter(([, at]) => at !== null));
}

/** Out of the caller's hands as it was before the claim, so that another instance may take it at once. */
export async function releaseRow(
  db: Kysely<BotSchema>,
  table: string,
  { id, fence, at }: { id: string; fence: number; at: Date },
): Promise<void> {
  await sql`update ${sql.table(table)} set lease_until = null, next_at = ${at}
    where id = ${id} and fence = ${fence} and lease_until is not null`.execute(db);
}

function isKnown({ states, setAside, asideBy }: Claimable): RawBuilder<unknown> {
  return sql`state in (${sql.join(states)}) and ${notAside(asideBy, setAside)}`;
}
