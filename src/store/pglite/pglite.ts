import { type EmbeddedDatabase, openLocked } from './locked-database.ts';
import type { Replacing } from './move-aside.ts';
import { openPGliteSession } from './pglite-session.ts';

/**
 * PGlite in this thread, kept in `folder`: while it works, the thread does nothing else. Throws FolderLocked while
 * another process, or this one, has the folder open.
 */
export function openPGlite(folder: string, replacing?: Replacing): Promise<EmbeddedDatabase> {
  return openLocked(folder, openPGliteSession, replacing);
}
