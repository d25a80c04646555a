import { type Kysely, sql } from 'kysely';
import type { BotSchema } from '../../store/schema.ts';
import type { Changes } from './changes.ts';
import { notSetAside } from './not-set-aside.ts';

/** A table with pending notifications. */
export interface NoticeTable {
  table: string;
  /** Columns whose ids may be set aside. */
  setAsideBy: readonly string[];
  /** Rows with the same value in this column share one notification. */
  by: string;
}

/**
 * Notifications as the caller last read them. `until` is their `notify_at`; for the caller that claimed them, the end
 * of the claim.
 */
interface KnownNotices {
  ids: readonly string[];
  until: Date;
}

interface NoticeClaim {
  at: Date;
  /** End of the claim. */
  until: Date;
  /** Maximum numbers of rows, and of different values of `by`. */
  rows: number;
  groups: number;
  setAside: readonly string[];
}

/**
 * Claims rows with due notifications. A row's `notifying_since` is before `at` if another instance began to send its
 * notification.
 */
export async function claimNotices<Row>(
  db: Kysely<BotSchema>,
  of: NoticeTable,
  claim: NoticeClaim,
): Promise<Row[]> {
  const table = sql.table(of.table);
  const group = sql`workspace, ${sql.ref(of.by)}`;
  const isDue = sql`notify_at <= ${claim.at} and ${notSetAside(of.setAsideBy, claim.setAside)}`;
  const { rows } = await sql<Row>`
    update ${table} set notify_at = ${claim.until}, notifying_since = coalesce(notifying_since, ${claim.at})
    where id in (
      select id from ${table} where ${isDue} and (${group}) in (
        select ${group} from ${table} where ${isDue} group by ${group} order by min(notify_at) limit ${claim.groups})
      order by notify_at, ${sql.ref(of.by)} limit ${claim.rows} for update skip locked)
    returning *`.execute(db);
  return rows;
}

/**
 * Closes notifications that were sent or are obsolete. Skips rows that were claimed or changed state meanwhile, so that
 * no newer notification is lost. `also` has further changes of the rows. Resolves with the number of closed rows.
 */
export function closeNotices(
  db: Kysely<BotSchema>,
  table: string,
  known: KnownNotices,
  also: Changes = {},
): Promise<number> {
  return changeNotices(db, table, known, { ...also, notify_at: null, notifying_since: null });
}

/**
 * Postpones notifications to `at`, or claims them until then. Skips rows as `closeNotices` does. Resolves with the
 * number of rows.
 */
export function postponeNotices(
  db: Kysely<BotSchema>,
  table: string,
  known: KnownNotices,
  { at, ...also }: { at: Date; notify_attempts?: unknown; notifying_since?: Date },
): Promise<number> {
  return changeNotices(db, table, known, { ...also, notify_at: at });
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
    where id in (${sql.join(ids)}) and notify_at = ${until}`.execute(db);
  return Number(numAffectedRows);
}
