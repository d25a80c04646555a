import {
  type EarlierVersionHandling,
  type EmbeddedDatabase,
  openLockedDatabase,
} from '../../src/store/pglite/locked-database.ts';
import { openPGliteSession } from '../../src/store/pglite/pglite-session.ts';

/** Opens the PGlite database in `folder` as the app does, but in this thread, which spares a test the worker. */
export function openPGlite(
  folder: string,
  earlierVersion?: EarlierVersionHandling,
): Promise<EmbeddedDatabase> {
  return openLockedDatabase(folder, openPGliteSession, earlierVersion);
}
