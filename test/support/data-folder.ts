import { rename } from 'node:fs/promises';
import { join } from 'node:path';
import { cacheFolder, newDatabaseFolder } from './database-folder.ts';

/** A DATA_DIR with migrated, empty databases. Creating them takes seconds, and has its own test. */
export async function newDataFolder(): Promise<string> {
  const folder = await cacheFolder('data-');
  for (const name of ['database', 'service']) await rename(await newDatabaseFolder(), join(folder, name));
  return folder;
}
