import { type EmbeddedDatabase, openLockedDatabase } from './locked-database.ts';
import type { EarlierVersionHandling } from './move-aside.ts';
import { openWorkerSession } from './worker-session.ts';

/**
 * Opens the PGlite database in `folder` in a worker thread, so that statements don't block this thread. Throws
 * FolderLocked while this or another process has the folder open. `onEnd` is called if the worker thread ends
 * unexpectedly. After that, every statement is rejected.
 */
export function openThreadedPGlite(
  folder: string,
  onEnd: (error: Error) => void = () => undefined,
  earlierVersion?: EarlierVersionHandling,
): Promise<EmbeddedDatabase> {
  return openLockedDatabase(folder, (cluster) => openWorkerSession(cluster, onEnd), earlierVersion);
}
