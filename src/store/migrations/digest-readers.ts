import { type Kysely, sql } from 'kysely';

/**
 * Consent to a digest that outsiders read names their organisations. A consent from before named none, so it ends: the
 * digest stops, and asks. The column that held it stays for instances of an earlier version.
 */
export async function digestReaders(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('digest').addColumn('shared_with', 'text').execute();
  await sql`alter table digest alter column shared_known set default false`.execute(db);
  await sql`update digest set shared_known = false where shared_known`.execute(db);
}
