import type { Dialect } from 'kysely';
import { createPostgresDialect } from '../../src/store/postgres-dialect.ts';
import { openPGlite } from './open-pglite.ts';

/** Opens a dialect for the Postgres database at an address, or for the embedded database in a folder. */
export async function openDialect(
  addressOrFolder: string,
): Promise<{ dialect: Dialect; close(): Promise<void> }> {
  if (addressOrFolder.startsWith('postgres:'))
    return { dialect: createPostgresDialect(addressOrFolder), close: async () => undefined };
  return openPGlite(addressOrFolder);
}
