import type { Kysely } from 'kysely';

/** What stays known of a submission when its content is removed, and who has begun to tell its person. */
export async function rememberedSubmissions(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('submission').addColumn('summary', 'text').execute();
  await db.schema.alterTable('submission').addColumn('telling_since', 'timestamptz').execute();
}
