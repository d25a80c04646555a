import { setTimeout as delay } from 'node:timers/promises';
import { type Dialect, Kysely, type QueryCreator, type QueryExecutorProvider, sql } from 'kysely';
import { type Migration, Migrator } from 'kysely/migration';
import { watchCommits } from './commits.ts';
import { ConnectionLost, DatabaseUnavailable } from './database-unavailable.ts';
import { withoutStatementTimeout } from './statement-timeout.ts';
import { findVersionMismatch } from './version-mismatch.ts';

/** Migrations by name. They run in the order of their names, so a new name must sort after all others. */
export type Migrations = Record<string, Migration>;

/**
 * A database or a transaction that has these tables, and may have others. A function that takes a `Kysely` accepts no
 * transaction on a database with further tables.
 */
export type Queryable<Tables> = QueryCreator<Tables> & QueryExecutorProvider;

/** Interval between attempts to reach the database at startup. */
const RETRY_INTERVAL_MS = 1_000;

/**
 * Opens a database and runs its migrations. Any number of instances may do so at the same time: one migrates, and the
 * others wait for it.
 *
 * Throws DatabaseUnavailable if the database refuses the connection, or can't be reached within `startupWait`. Without
 * `startupWait` there is one attempt. Throws DatabaseTooNew or DatabaseTooOld if another version has migrated the
 * database. Rethrows the error of a failing migration. A failure leaves no connection open.
 */
export async function openDatabase<Schema>(options: {
  dialect: Dialect;
  migrations: Migrations;
  startupWait?: {
    /** How long to wait for an unreachable database. */
    timeoutMs: number;
    /** Called once, after the first failed attempt. */
    onWait(reason: Error): void;
  };
}): Promise<Kysely<Schema>> {
  const { dialect, migrations, startupWait } = options;
  const deadline = performance.now() + (startupWait?.timeoutMs ?? 0);
  for (let isFirstAttempt = true; ; isFirstAttempt = false) {
    try {
      return await openOnce<Schema>(dialect, migrations);
    } catch (error) {
      const isTransient =
        error instanceof ConnectionLost || (error instanceof DatabaseUnavailable && error.isTransient);
      if (!isTransient || performance.now() >= deadline) throw error;
      if (isFirstAttempt) startupWait?.onWait(error);
      await delay(RETRY_INTERVAL_MS);
    }
  }
}

async function openOnce<Schema>(dialect: Dialect, migrations: Migrations): Promise<Kysely<Schema>> {
  const db = new Kysely<Schema>({ dialect: watchCommits(dialect) });
  try {
    await sql`select 1`.execute(db).catch((error: unknown) => {
      throw error instanceof DatabaseUnavailable ? error : new DatabaseUnavailable(error);
    });
    await migrate(db, migrations);
    return db;
  } catch (error) {
    // Only the first error is thrown, because a pool that never connected may also fail to close.
    await db.destroy().catch(() => undefined);
    throw error;
  }
}

/** The key of the lock that migrations hold. It is Kysely's, so that earlier versions wait for it too. */
const MIGRATION_LOCK = '3853314791062309107';

/**
 * Runs the migrations in one transaction. A pooler in transaction mode may give every other statement to another
 * session of the server, so the transaction takes a transaction-level lock instead of Kysely's session-level lock.
 */
async function migrate<Schema>(db: Kysely<Schema>, migrations: Migrations): Promise<void> {
  // A migration may take long. Waiting for another instance's migration is a single long statement.
  const migrating = withoutStatementTimeout(() =>
    db.transaction().execute(async (transaction) => {
      await sql`select pg_advisory_xact_lock(${MIGRATION_LOCK}::bigint)`.execute(transaction);
      const migrator = new Migrator({ db: transaction, provider: { getMigrations: async () => migrations } });
      const { error } = await migrator.migrateToLatest();
      if (error === undefined) return;
      throw (await isConnectionLost(transaction)) ? new ConnectionLost(error) : error;
    }),
  );
  await migrating.catch(async (error: unknown) => {
    throw await explainMigrationError(error, db, migrations);
  });
}

/** Rejects if the database refuses writes, so that its connections are replaced. The statement locks no row. */
export async function checkWritable<Schema>(db: Kysely<Schema>): Promise<void> {
  await sql`select from kysely_migration where false for update`.execute(db);
}

/** If the connection breaks, Kysely's error doesn't say so. */
function isConnectionLost<Schema>(transaction: Kysely<Schema>): Promise<boolean> {
  return sql`select 1`.execute(transaction).then(
    () => false,
    (error: unknown) => error instanceof ConnectionLost,
  );
}

/** Replaces Kysely's error by DatabaseTooNew or DatabaseTooOld if its text says that this is the cause. */
async function explainMigrationError<Schema>(
  error: unknown,
  db: Kysely<Schema>,
  migrations: Migrations,
): Promise<unknown> {
  if (error instanceof ConnectionLost || error instanceof DatabaseUnavailable) return error;
  const executed = await sql<{ name: string }>`select name from kysely_migration`
    .execute(db)
    .catch(() => undefined);
  const names = executed?.rows.map((row) => row.name) ?? [];
  return findVersionMismatch(names, Object.keys(migrations)) ?? error;
}
