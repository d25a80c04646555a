import { type Kysely, sql } from 'kysely';

/**
 * Locks get a key of their own, because fingerprints become a tenant's own. Fingerprints of earlier rows match nothing
 * any more: their authors are still found by the service's ids.
 */
export async function tenantKeys(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('submission').addColumn('lock_key', 'text').execute();
  // What was in flight keeps its lock.
  await sql`update submission set lock_key = fingerprint where locked`.execute(db);
  await db.schema.dropIndex('submission_lock').execute();
  await db.schema
    .createIndex('submission_lock')
    .unique()
    .on('submission')
    .column('lock_key')
    .where(sql.ref('locked'), '=', true)
    .execute();
  await db.schema
    .createIndex('submission_lock_key')
    .on('submission')
    .columns(['lock_key', 'changed_at'])
    .execute();
}
