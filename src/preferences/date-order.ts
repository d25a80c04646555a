import type { Kysely, SelectQueryBuilder } from 'kysely';
import type { Actor } from '../slack/actor.ts';
import {
  DATE_ORDERS,
  type DateOrder,
  dateOrderOf,
  findDateOrder,
  type KnownDateOrder,
} from '../when/when.ts';
import { dateOrderIn } from '../when/zones.ts';
import type { PreferenceTables } from './tables.ts';

/** What a person's orders are called in forms, with what becomes of 3/4. */
export const DATE_ORDER_NAMES: Readonly<Record<DateOrder, string>> = {
  'day-first': 'Day first: 3 April',
  'month-first': 'Month first: 4 March',
};

/** What is stored of the order in which a person writes day and month. */
interface StoredOrder {
  /** The person's answer to a question about such a date, or choice in `/upnext zone`. */
  chosen?: DateOrder | undefined;
  /** The order of the latest date in which a day above 12 has shown it. */
  used?: DateOrder | undefined;
}

/** The language of Slack, and the zone of a person. */
interface Profile {
  locale?: string | undefined;
  zone?: string | undefined;
}

/**
 * Decides in which order a person writes 03/04. Slack's language is English (US) for many who never chose it, so it
 * decides only if the zone and what the person has used before agree with it. What the person chose decides alone.
 */
export function decideDateOrder({ chosen, used, locale, zone }: StoredOrder & Profile): KnownDateOrder {
  if (chosen !== undefined) return chosen;
  const signs = [
    locale === undefined ? undefined : dateOrderOf(locale),
    zone === undefined ? undefined : dateOrderIn(zone),
    used,
  ];
  const [order = 'unsure', ...others] = new Set(signs.filter((sign) => sign !== undefined));
  return others.length === 0 ? order : 'unsure';
}

/** A row as it is read. */
interface OrderRow {
  chosen: string | null;
  used: string | null;
}

export function selectDateOrder(
  db: Kysely<PreferenceTables>,
  { workspace, user }: Actor,
): SelectQueryBuilder<PreferenceTables, 'date_order', OrderRow> {
  return db
    .selectFrom('date_order')
    .select(['chosen', 'used'])
    .where(({ and }) => and({ workspace, person: user }));
}

export function toStoredOrder(row: OrderRow | undefined): StoredOrder {
  const read = (stored: string | null | undefined) => DATE_ORDERS.find((order) => order === stored);
  return { chosen: read(row?.chosen), used: read(row?.used) };
}

export async function findStoredOrder(db: Kysely<PreferenceTables>, actor: Actor): Promise<StoredOrder> {
  return toStoredOrder(await selectDateOrder(db, actor).executeTakeFirst());
}

/** Stores the order that a person chose. `undefined`: language and zone decide again. */
export async function chooseDateOrder(
  db: Kysely<PreferenceTables>,
  actor: Actor,
  order: DateOrder | undefined,
): Promise<void> {
  await storeOrder(db, actor, { chosen: order ?? null });
}

/** Notes the order that a typed time shows, so that a person who uses another than language and zone say is asked. */
export async function noteUsedOrder(
  db: Kysely<PreferenceTables>,
  actor: Actor,
  typed: string,
): Promise<void> {
  const used = findDateOrder([typed]);
  if (used !== undefined && used !== 'unsure') await storeOrder(db, actor, { used });
}

/** Says where to settle the order of a date that a text has, if both can be meant (plain text). Otherwise empty. */
export function adviseOnOrder(text: string): string[] {
  return findDateOrder([text]) === 'unsure' ? ['Settle the order of day and month in /upnext zone.'] : [];
}

async function storeOrder(
  db: Kysely<PreferenceTables>,
  { workspace, user }: Actor,
  changed: Partial<OrderRow>,
): Promise<void> {
  await db
    .insertInto('date_order')
    .values({ workspace, person: user, ...changed })
    .onConflict((conflict) => conflict.columns(['workspace', 'person']).doUpdateSet(changed))
    .execute();
}
