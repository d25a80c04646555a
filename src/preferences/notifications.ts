import type { Kysely } from 'kysely';
import type { Actor } from '../slack/actor.ts';
import type { PreferenceTables } from './tables.ts';

/** The notifications that people choose. `published`: their posts went out. `problems`: one failed, or may have. */
export const NOTIFICATIONS = ['published', 'problems'] as const;
export type Notification = (typeof NOTIFICATIONS)[number];

/** Nobody should have to look into the service to learn what became of a post, so both are on until switched off. */
const DEFAULT_NOTIFICATIONS: readonly Notification[] = NOTIFICATIONS;

export async function listChosenNotifications(
  db: Kysely<PreferenceTables>,
  { workspace, user }: Actor,
): Promise<readonly Notification[]> {
  const row = await db
    .selectFrom('notification_choice')
    .select(NOTIFICATIONS)
    .where(({ and }) => and({ workspace, person: user }))
    .executeTakeFirst();
  return row ? NOTIFICATIONS.filter((name) => row[name]) : DEFAULT_NOTIFICATIONS;
}

export async function chooseNotifications(
  db: Kysely<PreferenceTables>,
  { workspace, user }: Actor,
  chosen: readonly string[],
): Promise<void> {
  const values = {
    published: chosen.includes('published'),
    problems: chosen.includes('problems'),
  };
  await db
    .insertInto('notification_choice')
    .values({ workspace, person: user, ...values })
    .onConflict((conflict) => conflict.columns(['workspace', 'person']).doUpdateSet(values))
    .execute();
}
