import { type Kysely, sql } from 'kysely';

/** TRUNCATE fires no trigger for each row: it needs one for the statement. */
export async function recordNotTruncated(db: Kysely<unknown>): Promise<void> {
  await sql`create trigger record_not_truncated before truncate on record
    for each statement execute function record_only_grows()`.execute(db);
}
