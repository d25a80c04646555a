import { type Kysely, sql } from 'kysely';
import type { WorkspaceTables } from '../tables.ts';

/**
 * `state`, `browserToken` and `ipAddress` are hashes. A person who can read the database therefore can't complete an
 * installation.
 */
interface InstallState {
  state: string;
  browserToken: string;
  ipAddress: string;
  now: Date;
  expiresAt: Date;
}

/**
 * Maximum number of installations in progress. It is rarely reached, because an installation takes only a minute or
 * two.
 */
const MAX_STATES = 5_000;
/** Maximum for one address: as many installations as the address may begin in a minute (`MAX_VISITS`). */
const MAX_STATES_PER_ADDRESS = 120;

/**
 * Returns false if the address has too many states. If all addresses together have too many, the oldest states of the
 * addresses with the most states are deleted. An address with many states therefore never displaces one with a single
 * state. Also deletes expired states.
 */
export async function saveInstallState(
  db: Kysely<WorkspaceTables>,
  newState: InstallState,
): Promise<boolean> {
  const { state, browserToken, ipAddress, now, expiresAt } = newState;
  await db.deleteFrom('install_state').where('expires_at', '<=', now).execute();
  const inserted = await sql`
    insert into install_state (state, browser_token, ip_address, expires_at)
    select ${state}, ${browserToken}, ${ipAddress}, ${expiresAt}::timestamptz
    where (select count(*) from install_state where ip_address = ${ipAddress}) < ${MAX_STATES_PER_ADDRESS}
    returning state`.execute(db);
  if (inserted.rows.length === 0) return false;
  await sql`
    delete from install_state where state in (
      select state from (
        select state, expires_at, row_number() over (partition by ip_address order by expires_at desc, state) as nth
        from install_state
      ) as ranked
      order by nth desc, expires_at, state
      limit (select greatest(0, count(*) - ${MAX_STATES}) from install_state)
    )`.execute(db);
  return true;
}

/** Deletes the state. Returns whether the state was issued to this browser and has not expired. */
export async function consumeInstallState(
  db: Kysely<WorkspaceTables>,
  { state, browserToken, now }: { state: string; browserToken: string; now: Date },
): Promise<boolean> {
  const row = await db
    .deleteFrom('install_state')
    .where('state', '=', state)
    .returning(['browser_token', 'expires_at'])
    .executeTakeFirst();
  return row !== undefined && row.browser_token === browserToken && row.expires_at > now;
}
