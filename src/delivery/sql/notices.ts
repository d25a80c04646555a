import { type Kysely, sql } from 'kysely';
import type { BotSchema } from '../../store/schema.ts';
import type { Changes } from './changes.ts';
import { notAside } from './not-aside.ts';

/** A table whose rows say when somebody is to be notified. */
export interface NoticeTable {
  table: string;
  /** Columns with ids that may be set aside. */
  asideBy: readonly string[];
  /** The column by which rows are notified of together. */
  by: string;
}

/** Notifications as the caller knows them: `until` is when they are due, for whoever claimed them when the claim ends. */
export interface KnownNotices {
  ids: readonly string[];
  until: Date;
}

interface NoticeClaim {
  at: Date;
  /** Until then nobody else takes them. */
  until: Date;
  /** Rows, and different values of `by`. */
  rows: number;
  groups: number;
  setAside: readonly string[];
}

/**
 * Rows of which somebody is to be notified, for the caller alone. `telling_since` is before `at` where another instance
 * has begun to.
 */
export async function claimNotices<Row>(
  db: Kysely<BotSchema>,
  of: NoticeTable,
  claim: NoticeClaim,
): Promise<Row[]> {
  const table = sql.table(of.table);
  const group = sql`workspace, ${sql.ref(of.by)}`;
  const isDue = sql`tell_at <= ${claim.at} and ${notAside(of.asideBy, claim.setAside)}`;
  const { rows } = await sql<Row>`
    update ${table} set tell_at = ${claim.until}, telling_since = coalesce(telling_since, ${claim.at})
    where id in (
      select id from ${table} where ${isDue} and (${group}) in (
        select ${group} from ${table} where ${isDue} group by ${group} order by min(tell_at) limit ${claim.groups})
      order by tell_at, ${sql.ref(of.by)} limit ${claim.rows} for update skip locked)
    returning *`.execute(db);
  return rows;
}

/**
 * Closes notifications: they were sent, or nobody is notified of them any more. Leaves alone what was claimed or has
 * changed its state meanwhile, so that nothing newer is lost. `also`: what else changes in the rows. How many rows.
 */
export function closeNotices(
  db: Kysely<BotSchema>,
  table: string,
  known: KnownNotices,
  also: Changes = {},
): Promise<number> {
  return changeNotices(db, table, known, { ...also, tell_at: null, telling_since: null });
}

/** Sends them at `at` instead, or claims them until then. Leaves alone what `closeNotices` does; how many rows. */
export function postponeNotices(
  db: Kysely<BotSchema>,
  table: string,
  known: KnownNotices,
  { at, ...also }: { at: Date; tells?: unknown; telling_since?: Date },
): Promise<number> {
  return changeNotices(db, table, known, { ...also, tell_at: at });
}

async function changeNotices(
  db: Kysely<BotSchema>,
  table: string,
  { ids, until }: KnownNotices,
  change: Changes,
): Promise<number> {
  if (ids.length === 0) return 0;
  const columns = Object.entries(change).map(([name, value]) => sql`${sql.ref(name)} = ${value}`);
  const { numAffectedRows = 0n } = await sql`update ${sql.table(table)} set ${sql.join(columns)}
    where id in (${sql.join(ids)}) and tell_at = ${until}`.execute(db);
  return Number(numAffectedRows);
}
