import { setTimeout as delay } from 'node:timers/promises';
import { type Dialect, Kysely, sql } from 'kysely';
import { type Migration, Migrator } from 'kysely/migration';
import { nulPlugin } from './column-values.ts';
import { ConnectionLost } from './connection-lost.ts';
import { DatabaseUnavailable } from './database-unavailable.ts';
import { otherVersion } from './other-version.ts';
import { withoutStatementLimit } from './statement-limit.ts';

/** Migrations by name; they run in the names' order, so a new name sorts after all others. */
export type Migrations = Record<string, Migration>;

/** Whoever waits for the database at start is told of it once. */
interface Patience {
  /** How long to wait for a database that is out of reach, ms. */
  ms: number;
  onWait(reason: Error): void;
}

/** Between two attempts to reach the database at start, ms. */
const ATTEMPT_MS = 1_000;

/**
 * A database with all migrations run. Any number of instances may open one at the same time: one migrates, the
 * others wait. Throws DatabaseUnavailable when it refuses us or is still out of reach after `patience` (at once
 * without), DatabaseTooNew or DatabaseTooOld when another version's migrations made it, and whatever a failing migration
 * throws. What fails leaves nothing open.
 */
export async function openDatabase<Schema>(options: {
  dialect: Dialect;
  migrations: Migrations;
  patience?: Patience;
}): Promise<Kysely<Schema>> {
  const { dialect, migrations, patience } = options;
  const giveUpAt = performance.now() + (patience?.ms ?? 0);
  for (let isTold = false; ; isTold = true) {
    try {
      return await openOnce<Schema>(dialect, migrations);
    } catch (error) {
      const isTransient =
        error instanceof ConnectionLost || (error instanceof DatabaseUnavailable && error.isTransient);
      if (!isTransient || performance.now() >= giveUpAt) throw error;
      if (!isTold) patience?.onWait(error);
      await delay(ATTEMPT_MS);
    }
  }
}

async function openOnce<Schema>(dialect: Dialect, migrations: Migrations): Promise<Kysely<Schema>> {
  const db = new Kysely<Schema>({ dialect, plugins: [nulPlugin()] });
  try {
    await reach(db);
    await migrate(db, migrations);
    return db;
  } catch (error) {
    // The first error is the one that explains; a pool that never connected may fail to close as well.
    await db.destroy().catch(() => undefined);
    throw error;
  }
}

async function reach<Schema>(db: Kysely<Schema>): Promise<void> {
  try {
    await sql`select 1`.execute(db);
  } catch (error) {
    throw error instanceof DatabaseUnavailable ? error : new DatabaseUnavailable(error);
  }
}

async function migrate<Schema>(db: Kysely<Schema>, migrations: Migrations): Promise<void> {
  // Waiting for another instance's migration counts as a running statement, and so does a long migration.
  await withoutStatementLimit(() =>
    db.connection().execute(async (connection) => {
      const migrator = new Migrator({ db: connection, provider: { getMigrations: async () => migrations } });
      const { error } = await migrator.migrateToLatest();
      if (error !== undefined) throw await explain(error, connection, migrations);
    }),
  );
}

/** Kysely's own errors tell neither of a lost connection nor of unknown migrations, but in their text. */
async function explain<Schema>(error: unknown, db: Kysely<Schema>, migrations: Migrations): Promise<unknown> {
  const isLost = await sql`select 1`.execute(db).then(
    () => false,
    () => true,
  );
  // It may have been lost while Kysely rolled back or gave up its lock, which hides why.
  if (isLost) return new ConnectionLost(error);
  const executed = await sql<{ name: string }>`select name from kysely_migration`
    .execute(db)
    .catch(() => undefined);
  const names = executed?.rows.map((row) => row.name) ?? [];
  return otherVersion(names, Object.keys(migrations)) ?? error;
}
