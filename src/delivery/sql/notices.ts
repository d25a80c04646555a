import { type Kysely, sql } from 'kysely';
import type { BotSchema } from '../../store/schema.ts';
import { notAside } from './not-aside.ts';

/** A table whose rows say when somebody is to be notified. */
export interface NoticeTable {
  table: string;
  /** Columns with ids that may be set aside. */
  asideBy: readonly string[];
  /** The column by which rows are notified of together. */
  by: string;
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
