import { type EmbeddedDatabase, openLockedDatabase } from './locked-database.ts';
import type { EarlierVersionHandling } from './move-aside.ts';
import { openThreadSession } from './thread-session.ts';

/**
 * Opens PGlite in a thread of its own, stored in `folder`. Its statements don't block this thread. Throws FolderLocked
 * while this or another process has the folder open. `onEnd` is called if the thread ends by itself; after that every
 * statement is rejected.
 */
export function openThreadedPGlite(
  folder: string,
  onEnd: (error: Error) => void = () => undefined,
  earlierVersion?: EarlierVersionHandling,
): Promise<EmbeddedDatabase> {
  return openLockedDatabase(folder, (cluster) => openThreadSession(cluster, onEnd), earlierVersion);
}
