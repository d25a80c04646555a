import type { Kysely } from 'kysely';
import type { BotSchema } from './schema.ts';

interface InstallState {
  /** Hashes: who reads the database can go on with no installation. */
  state: string;
  browser: string;
  expiresAt: Date;
}

/** Also removes what is out of date. */
export async function saveInstallState(db: Kysely<BotSchema>, made: InstallState, now: Date): Promise<void> {
  const { expiresAt, ...rest } = made;
  await db.deleteFrom('install_state').where('expires_at', '<=', now).execute();
  await db
    .insertInto('install_state')
    .values({ ...rest, expires_at: expiresAt })
    .execute();
}

/** Uses it up, whoever brings it: true once, for the browser that it was made for, in time. */
export async function useInstallState(
  db: Kysely<BotSchema>,
  { state, browser, now }: { state: string; browser: string; now: Date },
): Promise<boolean> {
  const used = await db
    .deleteFrom('install_state')
    .where('state', '=', state)
    .returning(['browser', 'expires_at'])
    .executeTakeFirst();
  return used !== undefined && used.browser === browser && used.expires_at > now;
}
