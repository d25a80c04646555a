import type { Kysely } from 'kysely';

/** Slack's requests that have come, for all instances; and whether somebody has stopped all sending. */
export async function seenRequestsAndHalt(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('seen_request')
    .addColumn('signature', 'text', (column) => column.primaryKey())
    .addColumn('kept_until', 'timestamptz', (column) => column.notNull())
    .execute();
  await db.schema.createIndex('seen_request_age').on('seen_request').column('kept_until').execute();
  await db.schema
    .createTable('halt')
    .addColumn('name', 'text', (column) => column.primaryKey())
    .addColumn('why', 'text', (column) => column.notNull())
    .addColumn('since', 'timestamptz', (column) => column.notNull())
    .execute();
}
