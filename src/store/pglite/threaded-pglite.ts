import { type EmbeddedDatabase, openLocked } from './locked-database.ts';
import type { Replacing } from './move-aside.ts';
import { openThreadSession } from './thread-session.ts';

/**
 * PGlite in a thread of its own, kept in `folder`: this thread stays free while it works. Throws FolderLocked while
 * another process, or this one, has the folder open. `onEnd` is told when the thread ends by itself: then nothing is
 * answered any more.
 */
export function openThreadedPGlite(
  folder: string,
  onEnd: (error: Error) => void = () => undefined,
  replacing?: Replacing,
): Promise<EmbeddedDatabase> {
  return openLocked(folder, (cluster) => openThreadSession(cluster, onEnd), replacing);
}
