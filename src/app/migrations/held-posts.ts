import { type Kysely, sql } from 'kysely';
import { createDeliveryIndexes, createDeliveryTable } from '../../engine/delivery-table.ts';

/** States before the service has the post. */
const PLANNED_STATES = ['draft', 'awaiting-review', 'held', 'needs-person', 'handed-over'];

/** Creates the tables for held posts, their history and messages, and the policies of projects. */
export async function createHeldPostTables(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('project_policy')
    .addColumn('workspace', 'text', (column) => column.notNull())
    .addColumn('project', 'text', (column) => column.notNull())
    // Null: posts go to the service right away.
    .addColumn('lead_minutes', 'integer')
    .addColumn('review', 'text', (column) => column.notNull())
    .addColumn('review_steps', 'jsonb', (column) => column.notNull())
    .addColumn('stand_ins', 'jsonb', (column) => column.notNull())
    .addColumn('channel', 'text')
    .addColumn('owner_override', 'text')
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
}
