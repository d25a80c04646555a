import { rename } from 'node:fs/promises';
import { join } from 'node:path';
import { cacheFolder, newDatabaseFolder } from './database-folder.ts';

/** A DATA_DIR whose databases are made but empty: making them anew takes seconds, and is tested by itself. */
export async function newDataFolder(): Promise<string> {
  const folder = await cacheFolder('data-');
  for (const name of ['database', 'service']) await rename(await newDatabaseFolder(), join(folder, name));
  return folder;
}
