import type { Kysely } from 'kysely';
import type { Migrations } from '../store/database.ts';
import { createDigestTables, createSubmissionTables } from './migrations/deliveries.ts';
import { createHeldPostTables, createImportTables } from './migrations/held-posts.ts';
import {
  createAccessTables,
  createMediaTables,
  createPreferenceTables,
  createRequestTables,
  createWorkspaceTables,
} from './migrations/workspaces.ts';

/**
 * The migrations that create the app's tables.
 *
 * Until the first release there is one migration. Every change of a table, or of what a column contains, is made in
 * this migration, which then gets a new name. Databases created before the change are thereby recognised as an earlier
 * version's. After the first release this migration never changes, and every change is a new migration. The version before
 * must be able to use the new tables, because its instances still run while they are replaced one by one.
 *
 * Every new name must sort after all names that were ever used. The app compares names to find out whether a newer or an
 * earlier version created the database.
 */
export const migrations: Migrations = { '2027-01-19-typed-forms': { up: createTables } };

async function createTables(db: Kysely<unknown>): Promise<void> {
  await createWorkspaceTables(db);
  await createPreferenceTables(db);
  await createAccessTables(db);
  await createSubmissionTables(db);
  await createDigestTables(db);
  await createHeldPostTables(db);
  await createImportTables(db);
  await createRequestTables(db);
  await createMediaTables(db);
}
