import { existsSync } from 'node:fs';
import { mkdir, rename } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { Dialect } from 'kysely';
import { DatabaseTooOld, findVersionMismatch } from '../version-mismatch.ts';
import { ensureCluster } from './cluster.ts';
import { lockFolder } from './folder-lock.ts';
import type { Session } from './session.ts';
import { createSessionDialect } from './session-dialect.ts';

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
