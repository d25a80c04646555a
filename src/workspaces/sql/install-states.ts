import { type Kysely, sql } from 'kysely';
import type { BotSchema } from '../../store/schema.ts';

interface InstallState {
  /** These three are hashes, so that nobody who reads the database can complete an installation. */
  state: string;
  browser: string;
  address: string;
  now: Date;
  expiresAt: Date;
}

/** Installations in progress. Our own choice: one takes a person a minute or two. */
const MAX_STATES = 5_000;
/** Installations in progress of one address: as many as it may begin in a minute (`MAX_VISITS`). */
const MAX_STATES_PER_ADDRESS = 120;

/**
 * False if the address has too many states. If all addresses together have too many, the oldest states of the addresses
 * with the most states are deleted, so that heavy users never push out somebody with one state. Also deletes expired
 * states.
 */
export async function saveInstallState(db: Kysely<BotSchema>, made: InstallState): Promise<boolean> {
  const { state, browser, address, now, expiresAt } = made;
  await db.deleteFrom('install_state').where('expires_at', '<=', now).execute();
  const saved = await sql`
    insert into install_state (state, browser, address, expires_at)
    select ${state}, ${browser}, ${address}, ${expiresAt}::timestamptz
    where (select count(*) from install_state where address = ${address}) < ${MAX_STATES_PER_ADDRESS}
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

/** Uses up the state. True once, for the browser that it was issued to, before it expires. */
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
