import type { Dialect } from 'kysely';
import { ensureCluster } from './cluster.ts';
import { lockFolder } from './folder-lock.ts';
import type { Session } from './session.ts';
import { sessionDialect } from './session-dialect.ts';

/** An open embedded database. `close` may be called more than once; kysely's destroy() closes it as well. */
export interface EmbeddedDatabase {
  dialect: Dialect;
  close(): Promise<void>;
}

/** Locks `folder`, makes a database in it if there is none, and opens it. Throws FolderLocked. */
export async function openLocked(
  folder: string,
  openSession: (cluster: string) => Promise<Session>,
): Promise<EmbeddedDatabase> {
  const lock = lockFolder(folder);
  try {
    const session = await openSession(await ensureCluster(folder));
    const close = () => session.close().finally(() => lock.release());
    return { dialect: sessionDialect({ ...session, close }), close };
  } catch (error) {
    lock.release();
    throw error;
  }
}
