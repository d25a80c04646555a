import type { Kysely } from 'kysely';

/** Which post a draft was scheduled as: the service cannot promote one, so it stays a draft there. */
export async function draftCopies(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('draft_copy')
    .addColumn('workspace', 'text', (column) => column.notNull())
    .addColumn('submission', 'text', (column) => column.notNull())
    .addColumn('project', 'text', (column) => column.notNull())
    .addColumn('draft', 'text', (column) => column.notNull())
    .addColumn('post', 'text')
    .addColumn('scheduled_at', 'timestamptz')
    .addColumn('zone', 'text')
    .addColumn('made_by', 'text', (column) => column.notNull())
    .addColumn('made_at', 'timestamptz', (column) => column.notNull())
    .addPrimaryKeyConstraint('draft_copy_key', ['workspace', 'submission'])
    .execute();
  await db.schema
    .createIndex('draft_copy_draft')
    .on('draft_copy')
    .columns(['workspace', 'project', 'draft'])
    .execute();
}
