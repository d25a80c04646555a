import { sql } from 'kysely';

/**
 * A condition, always true, with which a statement outside a transaction is committed without waiting for the disk or a
 * standby. Others see the change at once. If the server crashes within the next second, the change may be lost, but no
 * change that was committed before it.
 * https://www.postgresql.org/docs/current/wal-async-commit.html
 */
export const WITHOUT_SYNC = sql<boolean>`(select set_config('synchronous_commit', 'off', true)) = 'off'`;
