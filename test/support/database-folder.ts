import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { mkdtemp, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { ensureCluster } from '../../src/store/pglite/cluster.ts';

const root = join(import.meta.dirname, '../..');
const cache = join(root, '.cache');

/** Creates an empty folder for a test in .cache. */
export function createCacheFolder(prefix: string): Promise<string> {
  mkdirSync(cache, { recursive: true });
  return mkdtemp(join(cache, prefix));
}

/** Creates a folder with an empty embedded database. Copies it, because creating a database takes seconds. */
export async function createDatabaseFolder(): Promise<string> {
  const folder = await createCacheFolder('database-');
  // `cp` takes eight times as much CPU time for a thousand files.
  cpSync(await ensureEmptyDatabase(), folder, { recursive: true });
  return folder;
}

/**
 * Returns the folder of an empty database to copy. Creates the database once, and again if the code for that changes.
 */
async function ensureEmptyDatabase(): Promise<string> {
  const sources = [
    'src/store/pglite/create-cluster.ts',
    'src/store/pglite/pglite-memory.ts',
    'node_modules/@electric-sql/pglite/package.json',
  ].map((path) => readFileSync(join(root, path)));
  const hash = createHash('sha256').update(Buffer.concat(sources)).digest('hex').slice(0, 12);
  const template = join(cache, `empty-database-${hash}`);
  if (existsSync(template)) return template;
  const folder = await createCacheFolder('database-');
  await ensureCluster(folder);
  // If two processes create the database at the same time, the second uses the folder of the first.
  await rename(folder, template).catch(() => rm(folder, { recursive: true }));
  return template;
}
