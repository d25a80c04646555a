import { type EarlierVersionHandling, type EmbeddedDatabase, openLockedDatabase } from './locked-database.ts';
import { openPGliteSession } from './pglite-session.ts';

/** Opens the PGlite database in `folder` in this thread, which statements block. Throws FolderLocked. */
export function openPGlite(
  folder: string,
  earlierVersion?: EarlierVersionHandling,
): Promise<EmbeddedDatabase> {
  return openLockedDatabase(folder, openPGliteSession, earlierVersion);
}
