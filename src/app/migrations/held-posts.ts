import { type Kysely, sql } from 'kysely';
import { createDeliveryIndexes, createDeliveryTable } from '../../engine/columns.ts';

/** States before the service has the post. */
const PLANNED_STATES = ['draft', 'awaiting-review', 'held', 'needs-person', 'handed-over'];

export async function createHeldPostTables(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('project_policy')
    .addColumn('workspace', 'text', (column) => column.notNull())
    .addColumn('project', 'text', (column) => column.notNull())
    // Null: posts go to the service right away.
    .addColumn('lead_minutes', 'integer')
    .addColumn('review', 'text', (column) => column.notNull())
    .addColumn('series_review', 'text', (column) => column.notNull().defaultTo('each'))
    .addColumn('review_steps', 'jsonb', (column) => column.notNull())
    .addColumn('stand_ins', 'jsonb', (column) => column.notNull())
    .addColumn('channel', 'text')
    .addColumn('owner_override', 'text')
    .addColumn('posting_times', 'jsonb', (column) => column.notNull().defaultTo('[]'))
    .addColumn('blackouts', 'jsonb', (column) => column.notNull().defaultTo('[]'))
    .addColumn('changed_by', 'text', (column) => column.notNull())
    .addColumn('changed_at', 'timestamptz', (column) => column.notNull())
    .addPrimaryKeyConstraint('project_policy_key', ['workspace', 'project'])
    .execute();
  await createDeliveryTable(db, 'held_post')
    .addColumn('author', 'text', (column) => column.notNull())
    .addColumn('project', 'text', (column) => column.notNull())
    .addColumn('channel', 'text')
    .addColumn('origin', 'text', (column) => column.notNull())
    .addColumn('item', 'integer', (column) => column.notNull())
    .addColumn('series', 'text')
    .addColumn('version', 'integer', (column) => column.notNull())
    .addColumn('form_version', 'integer', (column) => column.notNull().defaultTo(1))
    .addColumn('content', 'text')
    .addColumn('content_hash', 'text', (column) => column.notNull())
    .addColumn('publish_at', 'timestamptz')
    .addColumn('hand_over_at', 'timestamptz')
    .addColumn('in_review', 'boolean', (column) => column.notNull().defaultTo(false))
    .addColumn('approver', 'text')
    .addColumn('submission', 'text')
    .addColumn('maybe_sent', 'boolean', (column) => column.notNull().defaultTo(false))
    .addColumn('sent_to', 'text')
    .addColumn('created_at', 'timestamptz', (column) => column.notNull())
    .addUniqueConstraint('held_post_key', ['workspace', 'origin', 'item'])
    .execute();
  await createDeliveryIndexes(db, 'held_post');
  await db.schema
    .createIndex('held_post_project')
    .on('held_post')
    .columns(['workspace', 'project', 'publish_at'])
    .execute();
  await db.schema
    .createIndex('held_post_author')
    .on('held_post')
    .columns(['workspace', 'author', 'created_at'])
    .execute();
  await db.schema
    .createIndex('held_post_submission')
    .on('held_post')
    .columns(['submission'])
    .where('submission', 'is not', null)
    .execute();
  await db.schema
    .createIndex('held_post_hand_over')
    .on('held_post')
    .columns(['hand_over_at'])
    .where('hand_over_at', 'is not', null)
    .execute();
  // Lists read planned posts, of which there are few.
  await db.schema
    .createIndex('held_post_planned')
    .on('held_post')
    .columns(['workspace', 'project', 'state', 'publish_at'])
    .where(sql.ref('state'), 'in', PLANNED_STATES)
    .execute();
  // Lists also read the posts that were delivered in the last minutes, because the service's lists may be older.
  await db.schema
    .createIndex('held_post_delivered')
    .on('held_post')
    .columns(['workspace', 'changed_at'])
    .where(sql.ref('state'), '=', 'delivered')
    .execute();
  // Lists show the service's posts that are parts of one post as that post.
  await db.schema
    .createIndex('held_post_parts')
    .on('held_post')
    .columns(['workspace', 'publish_at'])
    .where(sql.ref('state'), '=', 'delivered')
    .where(sql.ref('sent_to'), 'is not', null)
    .execute();
  // The metrics count planned posts, and find the first one. If this index contained only planned posts, Postgres would
  // prefer it to held_post_planned for one workspace's posts.
  await db.schema.createIndex('held_post_state').on('held_post').columns(['state', 'publish_at']).execute();
  // Posts that were written while their project's service was unknown.
  await db.schema
    .createIndex('held_post_without_endpoint')
    .on('held_post')
    .columns(['workspace', 'project'])
    .where(sql.ref('endpoint'), '=', '')
    .execute();
  await db.schema
    .createTable('held_post_event')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('workspace', 'text', (column) => column.notNull())
    .addColumn('held_post', 'text', (column) =>
      column.notNull().references('held_post.id').onDelete('cascade'),
    )
    .addColumn('version', 'integer', (column) => column.notNull())
    .addColumn('kind', 'text', (column) => column.notNull())
    .addColumn('actor', 'text', (column) => column.notNull())
    .addColumn('content', 'text')
    .addColumn('content_hash', 'text')
    .addColumn('step', 'integer')
    .addColumn('by_series', 'boolean', (column) => column.notNull().defaultTo(false))
    .addColumn('at', 'timestamptz', (column) => column.notNull())
    .addColumn('position', 'bigint', (column) => column.notNull().generatedByDefaultAsIdentity())
    .execute();
  await db.schema
    .createIndex('held_post_event_post')
    .on('held_post_event')
    .columns(['held_post', 'position'])
    .execute();
  await db.schema
    .createTable('held_post_message')
    .addColumn('workspace', 'text', (column) => column.notNull())
    .addColumn('held_post', 'text', (column) =>
      column.notNull().references('held_post.id').onDelete('cascade'),
    )
    .addColumn('channel', 'text', (column) => column.notNull())
    .addColumn('ts', 'text', (column) => column.notNull())
    .addColumn('purpose', 'text', (column) => column.notNull())
    .addColumn('recipient', 'text')
    .addColumn('told', 'jsonb', (column) => column.notNull().defaultTo('[]'))
    .addColumn('sent_at', 'timestamptz', (column) => column.notNull())
    .addPrimaryKeyConstraint('held_post_message_key', ['workspace', 'channel', 'ts', 'held_post'])
    .execute();
  await db.schema
    .createIndex('held_post_message_post')
    .on('held_post_message')
    .columns(['held_post'])
    .execute();
  // The primary key guarantees that no two posts take the same slot, whichever instances they come from.
  await db.schema
    .createTable('held_post_slot')
    .addColumn('workspace', 'text', (column) => column.notNull())
    .addColumn('project', 'text', (column) => column.notNull())
    .addColumn('platform', 'text', (column) => column.notNull())
    .addColumn('slot_at', 'timestamptz', (column) => column.notNull())
    .addColumn('origin', 'text', (column) => column.notNull())
    .addColumn('item', 'integer', (column) => column.notNull())
    .addColumn('reserved_until', 'timestamptz')
    .addPrimaryKeyConstraint('held_post_slot_key', ['workspace', 'project', 'platform', 'slot_at'])
    .execute();
  await db.schema
    .createIndex('held_post_slot_post')
    .on('held_post_slot')
    .columns(['workspace', 'origin', 'item'])
    .execute();
  await createDeliveryTable(db, 'series')
    .addColumn('author', 'text', (column) => column.notNull())
    .addColumn('project', 'text', (column) => column.notNull())
    .addColumn('channel', 'text')
    .addColumn('origin', 'text', (column) => column.notNull())
    .addColumn('version', 'integer', (column) => column.notNull())
    .addColumn('content', 'text')
    .addColumn('changed_from', 'integer', (column) => column.notNull())
    .addColumn('ends_before', 'integer')
    .addColumn('is_changed', 'boolean', (column) => column.notNull().defaultTo(false))
    .addColumn('changed_by', 'text', (column) => column.notNull())
    .addColumn('edited_by', 'text', (column) => column.notNull())
    .addColumn('previous', 'text')
    .addColumn('missing_at', 'timestamptz')
    .addColumn('made_until', 'integer', (column) => column.notNull())
    .addColumn('missed', 'text')
    .addColumn('created_at', 'timestamptz', (column) => column.notNull())
    .addUniqueConstraint('series_key', ['workspace', 'origin'])
    .execute();
  await createDeliveryIndexes(db, 'series');
  await db.schema
    .createIndex('series_workspace')
    .on('series')
    .columns(['workspace', 'state', 'created_at'])
    .execute();
}

export async function createImportTables(db: Kysely<unknown>): Promise<void> {
  await createDeliveryTable(db, 'post_import')
    .addColumn('author', 'text', (column) => column.notNull())
    .addColumn('message_channel', 'text')
    .addColumn('message_ts', 'text')
    .addColumn('good', 'integer', (column) => column.notNull())
    .addColumn('equal', 'integer', (column) => column.notNull())
    .addColumn('skipped', 'integer', (column) => column.notNull())
    .addColumn('faulty', 'integer', (column) => column.notNull())
    .addColumn('batches', 'integer', (column) => column.notNull())
    .addColumn('position', 'integer', (column) => column.notNull())
    .addColumn('imported', 'integer', (column) => column.notNull())
    .addColumn('undone', 'integer', (column) => column.notNull())
    .addColumn('created_at', 'timestamptz', (column) => column.notNull())
    .execute();
  await createDeliveryIndexes(db, 'post_import');
  await db.schema
    .createIndex('post_import_author')
    .on('post_import')
    .columns(['workspace', 'author', 'created_at'])
    .execute();
  await db.schema
    .createTable('post_import_part')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('workspace', 'text', (column) => column.notNull())
    .addColumn('post_import', 'text', (column) =>
      column.notNull().references('post_import.id').onDelete('cascade'),
    )
    .addColumn('content', 'text', (column) => column.notNull())
    .execute();
  await db.schema
    .createIndex('post_import_part_import')
    .on('post_import_part')
    .column('post_import')
    .execute();
}
