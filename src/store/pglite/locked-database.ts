import type { Dialect } from 'kysely';
import { ensureCluster } from './cluster.ts';
import { lockFolder } from './folder-lock.ts';
import { isEarlier, moveAside, type Replacing } from './move-aside.ts';
import type { Session } from './session.ts';
import { sessionDialect } from './session-dialect.ts';

/** An open embedded database. `close` may be called more than once; kysely's destroy() closes it as well. */
export interface EmbeddedDatabase {
  dialect: Dialect;
  close(): Promise<void>;
}

type OpenSession = (cluster: string) => Promise<Session>;

/**
 * Locks `folder`, makes a database in it if there is none, and opens it. With `replacing`, an earlier version's database
 * is moved aside and a new one made. Throws FolderLocked.
 */
export async function openLocked(
  folder: string,
  openSession: OpenSession,
  replacing?: Replacing,
): Promise<EmbeddedDatabase> {
  const lock = lockFolder(folder);
  try {
    const session = await openNewest(folder, openSession, replacing);
    const close = () => session.close().finally(() => lock.release());
    return { dialect: sessionDialect({ ...session, close }), close };
  } catch (error) {
    lock.release();
    throw error;
  }
}

async function openNewest(folder: string, openSession: OpenSession, replacing?: Replacing): Promise<Session> {
  const cluster = await ensureCluster(folder);
  const session = await openSession(cluster);
  if (!replacing) return session;
  try {
    if (!(await isEarlier(session, replacing.migrations))) return session;
  } catch (error) {
    await session.close();
    throw error;
  }
  // Closed before it is moved, so that all of it is on disk.
  await session.close();
  replacing.onMovedAside(await moveAside(cluster, folder));
  return openSession(await ensureCluster(folder));
}
