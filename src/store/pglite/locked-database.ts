import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { mkdir, rename } from 'node:fs/promises';
import { hostname } from 'node:os';
import { basename, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import {
  AbortedTransactionError,
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  PGliteAdapter,
  PostgresIntrospector,
  type QueryResult,
} from 'kysely';
import { z } from 'zod';
import { readLocalTime } from '../../durations.ts';
import { CleaningQueryCompiler } from '../column-values.ts';
import { createTenantTurns } from '../tenant-turns.ts';
import { DatabaseTooOld, findVersionMismatch } from '../version-mismatch.ts';
import { ensureCluster } from './cluster.ts';
import type { Session } from './session.ts';

/** An open embedded database. `close` may be called more than once. Kysely's destroy() also closes the database. */
export interface EmbeddedDatabase {
  dialect: Dialect;
  close(): Promise<void>;
}

type OpenSession = (cluster: string) => Promise<Session>;

/**
 * Locks `folder`, creates a database in it if there is none, and opens the database. With `earlierVersion`, an earlier
 * version's database is moved aside and replaced by a new one. Throws FolderLocked.
 */
export async function openLockedDatabase(
  folder: string,
  openSession: OpenSession,
  earlierVersion?: EarlierVersionHandling,
): Promise<EmbeddedDatabase> {
  const lock = lockFolder(folder);
  try {
    const session = await openCurrentVersion(folder, openSession, earlierVersion);
    const close = () => session.close().finally(() => lock.release());
    return { dialect: createSessionDialect({ ...session, close }), close };
  } catch (error) {
    lock.release();
    throw error;
  }
}

async function openCurrentVersion(
  folder: string,
  openSession: OpenSession,
  earlierVersion?: EarlierVersionHandling,
): Promise<Session> {
  const cluster = await ensureCluster(folder);
  const session = await openSession(cluster);
  if (!earlierVersion) return session;
  try {
    if (!(await isFromEarlierVersion(session, earlierVersion.migrations))) return session;
  } catch (error) {
    await session.close();
    throw error;
  }
  // Close the database first, so that all of its data is on disk before the move.
  await session.close();
  earlierVersion.onMovedAside(await moveAside(cluster, folder));
  return openSession(await ensureCluster(folder));
}

/** Options for moving aside a database that an earlier version created and that this version can't use. */
export interface EarlierVersionHandling {
  /** Names of this version's migrations. */
  migrations: readonly string[];
  /** Called after the earlier database was moved to `newFolder`. */
  onMovedAside(newFolder: string): void;
}

/** Whether an earlier version created this database. False for a newer version's database, which must not be moved. */
async function isFromEarlierVersion(session: Session, migrations: readonly string[]): Promise<boolean> {
  const { rows: tables } = await session.query<{ exists: boolean }>(
    `select to_regclass('kysely_migration') is not null as exists`,
    [],
  );
  if (!tables[0]?.exists) return false;
  const { rows } = await session.query<{ name: string }>('select name from kysely_migration', []);
  const names = rows.map(({ name }) => name);
  return findVersionMismatch(names, migrations) instanceof DatabaseTooOld;
}

/**
 * Moves a closed cluster to the first free folder next to `folder`, which the caller must have locked. Returns the new
 * folder. For example, `data/database/cluster` becomes `data/database-earlier-1/cluster`. To restore the database,
 * rename the folder back. The move is atomic: after a crash the cluster is in one of the two places.
 */
export async function moveAside(cluster: string, folder: string): Promise<string> {
  const name = basename(cluster);
  for (let number = 1; ; number += 1) {
    const newFolder = `${folder}-earlier-${number}`;
    if (existsSync(join(newFolder, name))) continue;
    await mkdir(newFolder, { recursive: true, mode: 0o700 });
    await rename(cluster, join(newFolder, name));
    return newFolder;
  }
}

const lockHolderSchema = z.object({
  pid: z.number(),
  host: z.string(),
  program: z.string(),
  since: z.iso.datetime(),
});
type LockHolder = z.infer<typeof lockHolderSchema>;

/** How long to wait for the lock. Two simultaneous attempts can block each other; both wait, and one succeeds. */
const LOCK_TIMEOUT_MS = 500;
/** https://www.sqlite.org/rescode.html#busy */
const SQLITE_BUSY = 5;

/**
 * Another process, or another database in this process, has locked the folder. `holder` is undefined if the process
 * with the lock has not written its details yet.
 */
export class FolderLocked extends Error {
  readonly folder: string;
  readonly holder: LockHolder | undefined;

  constructor(folder: string, holder: LockHolder | undefined) {
    super(`${folder} is in use by ${holder === undefined ? 'another process' : describeHolder(holder)}`);
    this.name = 'FolderLocked';
    this.folder = folder;
    this.holder = holder;
  }
}

/**
 * Locks the folder until `release`, or until the process or thread ends. Throws FolderLocked.
 *
 * It is a lock of the operating system, acquired through SQLite (fcntl on POSIX, LockFileEx on Windows). A kill -9
 * therefore releases it at once, and two containers on one volume see each other's lock. A later process with the same
 * id isn't mistaken for the holder. SQLite also refuses a second lock within one process, which fcntl alone would allow.
 *
 * Nothing else in the process may open the lock file, because closing the file would release the lock (a rule of fcntl).
 */
export function lockFolder(folder: string): { release(): void } {
  // This may also create DATA_DIR, which contains the encryption key. Therefore only the owner may read it.
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const lock = new DatabaseSync(join(folder, 'lock'), { timeout: LOCK_TIMEOUT_MS });
  try {
    lock.exec('PRAGMA journal_mode = OFF; BEGIN EXCLUSIVE');
  } catch (error) {
    lock.close();
    if (error instanceof Error && 'errcode' in error && error.errcode === SQLITE_BUSY)
      throw new FolderLocked(folder, readHolder(folder));
    throw new Error(`could not lock ${folder}`, { cause: error });
  }
  writeHolder(folder);
  // The reference prevents garbage collection, which would release the lock.
  openLocks.add(lock);
  return {
    release: () => {
      if (openLocks.delete(lock)) lock.close();
    },
  };
}

const openLocks = new Set<DatabaseSync>();

function writeHolder(folder: string): void {
  const holder: LockHolder = {
    pid: process.pid,
    host: hostname(),
    program: basename(process.argv[1] ?? process.execPath),
    since: new Date(readLocalTime()).toISOString(),
  };
  // A rename is atomic, so that other processes never read a half-written file.
  writeFileSync(join(folder, 'holder.new'), JSON.stringify(holder));
  renameSync(join(folder, 'holder.new'), join(folder, 'holder.json'));
}

function readHolder(folder: string): LockHolder | undefined {
  try {
    return lockHolderSchema.parse(JSON.parse(readFileSync(join(folder, 'holder.json'), 'utf8')));
  } catch {
    return undefined;
  }
}

function describeHolder({ pid, host, program, since }: LockHolder): string {
  const location = host === hostname() ? '' : ` on ${host}`;
  return `process ${pid} (${program})${location} since ${since.slice(0, 16).replace('T', ' ')} UTC`;
}

/**
 * Kysely's dialect for a session. The driver lets one caller use it at a time, and tenants take turns: Kysely's own queue,
 * for adapters with a single connection, is in the order of arrival. Isolation levels are ignored, because transactions on one connection are serial anyway. Kysely's PGlite driver isn't
 * used, because it hangs and leaves an unhandled rejection after the database's thread has ended.
 */
export function createSessionDialect(session: Session): Dialect {
  return {
    createAdapter: () => new SessionAdapter(),
    createDriver: () => new SessionDriver(session),
    createIntrospector: (db) => new PostgresIntrospector(db),
    createQueryCompiler: () => new CleaningQueryCompiler(),
  };
}

/** Numbers are unique in the process, because several dialects may share a session. */
let lastTransactionNumber = 0;

class SessionAdapter extends PGliteAdapter {
  override get supportsMultipleConnections(): boolean {
    return true;
  }
}

/** The driver is also the session's only connection. */
class SessionDriver implements Driver, DatabaseConnection {
  readonly #session: Session;
  readonly #turns = createTenantTurns();
  #transaction: number | undefined;

  constructor(session: Session) {
    this.#session = session;
  }

  async init(): Promise<void> {}

  async acquireConnection(): Promise<DatabaseConnection> {
    await this.#turns.acquire();
    return this;
  }

  async releaseConnection(): Promise<void> {
    this.#turns.release();
  }

  async executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    const { rows, affectedRows } = await this.#session.query<Row>(
      query.sql,
      query.parameters,
      this.#transaction,
    );
    return { rows, numAffectedRows: BigInt(affectedRows) };
  }

  // biome-ignore lint/correctness/useYield: there is nothing to yield
  async *streamQuery(): AsyncIterableIterator<never> {
    throw new Error('the embedded database does not support streaming');
  }

  async beginTransaction(): Promise<void> {
    lastTransactionNumber += 1;
    const transaction = lastTransactionNumber;
    await this.#session.begin(transaction);
    this.#transaction = transaction;
  }

  async commitTransaction(): Promise<void> {
    try {
      await this.#end((transaction) => this.#session.commit(transaction));
    } catch (error) {
      // Kysely rolls back after any other error. Here Postgres has already rolled back.
      if (isAborted(error)) throw new AbortedTransactionError({ cause: error });
      throw error;
    }
  }

  rollbackTransaction(): Promise<void> {
    return this.#end((transaction) => this.#session.rollback(transaction));
  }

  destroy(): Promise<void> {
    return this.#session.close();
  }

  /** Does nothing after a failed commit, because the transaction has already ended. */
  async #end(end: (transaction: number) => Promise<void>): Promise<void> {
    const transaction = this.#transaction;
    this.#transaction = undefined;
    if (transaction !== undefined) await end(transaction);
  }
}

/** Whether a statement of the transaction had failed, so that COMMIT rolled back (in_failed_sql_transaction). */
function isAborted(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === '25P02';
}
