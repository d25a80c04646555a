import type { Kysely } from 'kysely';
import type { Migrations } from './database.ts';
import { accessTables } from './migrations/access.ts';
import { digestTables } from './migrations/digests.ts';
import { preferenceTables } from './migrations/preferences.ts';
import { requestTables } from './migrations/requests.ts';
import { submissionTables } from './migrations/submissions.ts';
import { workspaceTables } from './migrations/workspaces.ts';

/**
 * The app's own tables. Nothing has been released yet, so a change of a table, or of what its columns hold, goes into
 * this one migration under a new name: databases made before are then recognised as an earlier version's. After the
 * first release this migration stays as it is, and every change is one of its own. A new name sorts after all earlier
 * ones, also those that are gone: by that a newer version's database is told from an earlier one's.
 */
export const migrations: Migrations = {
  '2026-12-13-tables': { up: tables },
};

async function tables(db: Kysely<unknown>): Promise<void> {
  await workspaceTables(db);
  await preferenceTables(db);
  await accessTables(db);
  await submissionTables(db);
  await digestTables(db);
  await requestTables(db);
}
