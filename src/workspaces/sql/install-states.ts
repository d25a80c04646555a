import { type Kysely, sql } from 'kysely';
import type { BotSchema } from '../../store/schema.ts';

interface InstallState {
  /** Hashes: who reads the database can go on with no installation. */
  state: string;
  browser: string;
  address: string;
  now: Date;
  expiresAt: Date;
}

/** So many at a time; an installation that somebody has begun takes a minute or two. */
const MAX_STATES = 5_000;
/** As many as one address may begin in a minute. */
const MAX_STATES_OF_ADDRESS = 120;

/**
 * False where its address has too many. Where all together are too many, the oldest of the addresses that have the most
 * go: whoever has begun once is pushed out by nobody who has begun often. Also removes those that are out of date.
 */
export async function saveInstallState(db: Kysely<BotSchema>, made: InstallState): Promise<boolean> {
  const { state, browser, address, now, expiresAt } = made;
  await db.deleteFrom('install_state').where('expires_at', '<=', now).execute();
  const saved = await sql`
    insert into install_state (state, browser, address, expires_at)
    select ${state}, ${browser}, ${address}, ${expiresAt}::timestamptz
    where (select count(*) from install_state where address = ${address}) < ${MAX_STATES_OF_ADDRESS}
    returning state`.execute(db);
  if (saved.rows.length === 0) return false;
  await sql`
    delete from install_state where state in (
      select state from (
        select state, expires_at, row_number() over (partition by address order by expires_at desc, state) as nth
        from install_state
      ) as ranked
      order by nth desc, expires_at, state
      limit (select greatest(0, count(*) - ${MAX_STATES}) from install_state)
    )`.execute(db);
  return true;
}

/** Uses it up: true once, for the browser that it was made for, in time. */
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
