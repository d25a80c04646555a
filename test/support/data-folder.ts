import { rename } from 'node:fs/promises';
import { join } from 'node:path';
import { cacheFolder, newDatabaseFolder } from './database-folder.ts';

/** Creates a DATA_DIR with empty databases. Copies them, because creating a database takes seconds. */
export async function newDataFolder(): Promise<string> {
  const folder = await cacheFolder('data-');
  for (const name of ['database', 'service']) await rename(await newDatabaseFolder(), join(folder, name));
  return folder;
}
