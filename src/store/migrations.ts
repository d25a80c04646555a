import type { Kysely } from 'kysely';
import type { Migrations } from './database.ts';
import { accessTables } from './migrations/access.ts';
import { digestTables } from './migrations/digests.ts';
import { preferenceTables } from './migrations/preferences.ts';
import { requestTables } from './migrations/requests.ts';
import { submissionTables } from './migrations/submissions.ts';
import { workspaceTables } from './migrations/workspaces.ts';

/**
 * The app's tables. Until the first release, a change of a table or of a column's content goes into this one migration,
 * which gets a new name. Databases made before the change are then recognised as an earlier version's. After the first
 * release this migration never changes, and every change is a new migration. A new name sorts after all earlier names,
 * also those that no longer exist, because the order tells a newer version's database from an earlier one's.
 */
export const migrations: Migrations = {
  '2026-12-15-tables': { up: tables },
};

async function tables(db: Kysely<unknown>): Promise<void> {
  await workspaceTables(db);
  await preferenceTables(db);
  await accessTables(db);
  await submissionTables(db);
  await digestTables(db);
  await requestTables(db);
}
