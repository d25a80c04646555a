import { rename } from 'node:fs/promises';
import { join } from 'node:path';
import { createCacheFolder, createDatabaseFolder } from './database-folder.ts';

/** Creates a DATA_DIR with empty databases. Copies them, because creating a database takes seconds. */
export async function createDataFolder(): Promise<string> {
  const folder = await createCacheFolder('data-');
  for (const name of ['database', 'service']) await rename(await createDatabaseFolder(), join(folder, name));
  return folder;
}
