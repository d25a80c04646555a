import type { Dialect } from 'kysely';
import { openPGlite } from '../../src/store/pglite/pglite.ts';
import { createPostgresDialect } from '../../src/store/postgres-dialect.ts';

/** Opens the database at an address, or the embedded one in a folder. */
export async function openDatabaseAt(place: string): Promise<{ dialect: Dialect; close(): Promise<void> }> {
  if (place.startsWith('postgres:'))
    return { dialect: createPostgresDialect(place), close: async () => undefined };
  return openPGlite(place);
}
