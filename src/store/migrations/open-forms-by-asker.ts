import type { Kysely } from 'kysely';

/** To find the oldest of somebody who has too many. */
export async function openFormsByAsker(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createIndex('open_form_by_asker')
    .on('open_form')
    .columns(['workspace', 'asker', 'opened_at'])
    .execute();
}
