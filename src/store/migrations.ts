import { type Kysely, sql } from 'kysely';
import type { Migrations } from './database.ts';
import { bindings } from './migrations/bindings.ts';
import { departures } from './migrations/departures.ts';
import { digestReaders } from './migrations/digest-readers.ts';
import { digests } from './migrations/digests.ts';
import { draftCopies } from './migrations/draft-copies.ts';
import { followingUp } from './migrations/following-up.ts';
import { grants } from './migrations/grants.ts';
import { holdsByScope } from './migrations/holds-by-scope.ts';
import { installStatesByAddress } from './migrations/install-states-by-address.ts';
import { installations } from './migrations/installations.ts';
import { keyedRecord } from './migrations/keyed-record.ts';
import { leftWithInstallation } from './migrations/left-with-installation.ts';
import { leftWorkspaces } from './migrations/left-workspaces.ts';
import { openFormsByAsker } from './migrations/open-forms-by-asker.ts';
import { recordNotTruncated } from './migrations/record-not-truncated.ts';
import { rememberedSubmissions } from './migrations/remembered-submissions.ts';
import { seenRequestsAndHalt } from './migrations/seen-requests-and-halt.ts';
import { submissionsOnTheirWay } from './migrations/submissions-on-their-way.ts';
import { tenantKeys } from './migrations/tenant-keys.ts';
import { zones } from './migrations/zones.ts';

/** The bot's own tables. A migration that has been released is never changed; a new name sorts after all others. */
export const migrations: Migrations = {
  '2026-11-20-first': { up: first },
  '2026-11-21-submissions-on-their-way': { up: submissionsOnTheirWay },
  '2026-11-22-zones': { up: zones },
  '2026-11-23-bindings': { up: bindings },
  '2026-11-24-draft-copies': { up: draftCopies },
  '2026-11-25-digests': { up: digests },
  '2026-11-26-grants': { up: grants },
  '2026-11-26-installations': { up: installations },
  '2026-11-27-seen-requests-and-halt': { up: seenRequestsAndHalt },
  '2026-11-28-remembered-submissions': { up: rememberedSubmissions },
  '2026-11-29-holds-by-scope': { up: holdsByScope },
  '2026-11-30-tenant-keys': { up: tenantKeys },
  '2026-12-01-departures': { up: departures },
  '2026-12-02-record-not-truncated': { up: recordNotTruncated },
  '2026-12-03-keyed-record': { up: keyedRecord },
  '2026-12-04-install-states-by-address': { up: installStatesByAddress },
  '2026-12-05-left-workspaces': { up: leftWorkspaces },
  '2026-12-06-open-forms-by-asker': { up: openFormsByAsker },
  '2026-12-07-left-with-installation': { up: leftWithInstallation },
  '2026-12-08-digest-readers': { up: digestReaders },
  '2026-12-09-following-up': { up: followingUp },
};

async function first(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('channel_project')
    .addColumn('workspace', 'text', (column) => column.notNull())
    .addColumn('channel', 'text', (column) => column.notNull())
    .addColumn('project', 'text', (column) => column.notNull())
    .addColumn('bound_by', 'text', (column) => column.notNull())
    .addColumn('bound_at', 'timestamptz', (column) => column.notNull())
    .addPrimaryKeyConstraint('channel_project_key', ['workspace', 'channel'])
    .execute();
  await db.schema
    .createTable('open_form')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('workspace', 'text', (column) => column.notNull())
    .addColumn('asker', 'text', (column) => column.notNull())
    .addColumn('kind', 'text', (column) => column.notNull())
    .addColumn('facts', 'text', (column) => column.notNull())
    .addColumn('opened_at', 'timestamptz', (column) => column.notNull())
    .execute();
  await db.schema.createIndex('open_form_age').on('open_form').column('opened_at').execute();
  await db.schema
    .createTable('submission')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('workspace', 'text', (column) => column.notNull())
    .addColumn('asker', 'text', (column) => column.notNull())
    .addColumn('kind', 'text', (column) => column.notNull())
    .addColumn('origin', 'text', (column) => column.notNull())
    .addColumn('item', 'integer', (column) => column.notNull())
    .addColumn('revision', 'integer', (column) => column.notNull())
    .addColumn('state', 'text', (column) => column.notNull())
    .addColumn('channel', 'text')
    .addColumn('content', 'text', (column) => column.notNull())
    .addColumn('reason', 'text')
    .addColumn('attempts', 'integer', (column) => column.notNull().defaultTo(0))
    .addColumn('shared_at', 'timestamptz')
    .addColumn('created_at', 'timestamptz', (column) => column.notNull())
    .addColumn('changed_at', 'timestamptz', (column) => column.notNull())
    .addUniqueConstraint('submission_key', ['workspace', 'origin', 'item', 'revision'])
    .execute();
  // Whatever the code above it does: of one form's item, never two that may be on their way.
  await db.schema
    .createIndex('submission_active')
    .unique()
    .on('submission')
    .columns(['workspace', 'origin', 'item'])
    .where(sql.ref('state'), 'in', ['saved', 'sending', 'unknown'])
    .execute();
}
