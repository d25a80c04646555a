import { rename } from 'node:fs/promises';
import { join } from 'node:path';
import { createBotDatabaseFolder, createDatabaseFolder } from './database-folder.ts';
import { createTestFolder } from './test-folder.ts';

/** Creates a DATA_DIR with databases without rows. Copies them, because creating and migrating them takes seconds. */
export async function createDataFolder(): Promise<string> {
  const folder = await createTestFolder('data-');
  await rename(await createBotDatabaseFolder(), join(folder, 'database'));
  await rename(await createDatabaseFolder(), join(folder, 'service'));
  return folder;
}
