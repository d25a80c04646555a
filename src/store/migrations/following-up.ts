import { type Kysely, sql } from 'kysely';

/** A digest whose thread still follows has a state of its own. */
export async function followingUp(db: Kysely<unknown>): Promise<void> {
  await sql`
    update digest_occurrence set state = 'following-up' where state = 'posted' and next_at is not null
  `.execute(db);
}
