import type { Dialect } from 'kysely';
import { ensureCluster } from './cluster.ts';
import { lockFolder } from './folder-lock.ts';
import { type EarlierVersionHandling, isFromEarlierVersion, moveAside } from './move-aside.ts';
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
