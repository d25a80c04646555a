import { type Kysely, sql } from 'kysely';

/**
 * New rows of the record have a keyed hash. An instance of an earlier version, which has no key, is refused from now
 * on, so every row without one is older than the key. NOT VALID: the older rows stay.
 */
export async function keyedRecord(db: Kysely<unknown>): Promise<void> {
  await sql`alter table record add constraint record_is_keyed check (hash like 'hmac-sha256:%') not valid`.execute(
    db,
  );
}
