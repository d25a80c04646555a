import { type Kysely, sql } from 'kysely';
import type { BotSchema } from '../../store/schema.ts';
import { excludeIds } from '../exclusions.ts';
import type { Changes } from './transitions.ts';

/** A table with pending notifications. */
export interface NotificationTable {
  table: string;
  /** Columns to compare with the ids of excluded rows. */
  excludableColumns: readonly string[];
  /** Rows of a workspace with the same value in this column share one notification. */
  groupColumn: string;
}

/** Rows with a notification, as the caller last read them. */
interface KnownNotifications {
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
 * Claims rows with due notifications. If an instance has already begun to send a row's notification, the row's
 * `notifying_since` is earlier than `now`.
 */
export async function claimNotificationRows<Row>(
  db: Kysely<BotSchema>,
  source: NotificationTable,
  claim: NotificationClaim,
): Promise<Row[]> {
  const table = sql.table(source.table);
  const group = sql`workspace, ${sql.ref(source.groupColumn)}`;
  const isDue = sql`notify_at <= ${claim.now} and ${excludeIds(source.excludableColumns, claim.excludedIds)}`;
  const { rows } = await sql<Row>`
    update ${table} set notify_at = ${claim.claimedUntil}, notifying_since = coalesce(notifying_since, ${claim.now})
    where id in (
      select id from ${table} where ${isDue} and (${group}) in (
        select ${group} from ${table} where ${isDue} group by ${group} order by min(notify_at) limit ${claim.maxGroups})
      order by notify_at, ${sql.ref(source.groupColumn)} limit ${claim.maxRows} for update skip locked)
    returning *`.execute(db);
  return rows;
}

/**
 * Clears pending notifications that were sent or are obsolete. Skips rows that were claimed or changed their state since the
 * caller read them, so that no newer notification is lost. `change` has further changes of the rows. Resolves with the
 * number of cleared notifications.
 */
export function clearNotificationRows(
  db: Kysely<BotSchema>,
  table: string,
  known: KnownNotifications,
  change: Changes = {},
): Promise<number> {
  return updateNotificationRows(db, table, known, { ...change, notify_at: null, notifying_since: null });
}

/**
 * Postpones notifications to `notifyAt`, or claims them until then. Skips the same rows as `clearNotificationRows`.
 * Resolves with the number of changed rows.
 */
export function postponeNotificationRows(
  db: Kysely<BotSchema>,
  table: string,
  known: KnownNotifications,
  { notifyAt, ...change }: { notifyAt: Date; notify_attempts?: unknown; notifying_since?: Date },
): Promise<number> {
  return updateNotificationRows(db, table, known, { ...change, notify_at: notifyAt });
}

async function updateNotificationRows(
  db: Kysely<BotSchema>,
  table: string,
  { ids, notifyAt }: KnownNotifications,
  change: Changes,
): Promise<number> {
  if (ids.length === 0) return 0;
  const columns = Object.entries(change).map(([name, value]) => sql`${sql.ref(name)} = ${value}`);
  const { numAffectedRows = 0n } = await sql`update ${sql.table(table)} set ${sql.join(columns)}
    where id in (${sql.join(ids)}) and notify_at = ${notifyAt}`.execute(db);
  return Number(numAffectedRows);
}
