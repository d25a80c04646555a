import { createHash } from 'node:crypto';
import { cpSync, existsSync, globSync, mkdirSync, readFileSync } from 'node:fs';
import { mkdtemp, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { migrations } from '../../src/app/migrations.ts';
import { openDatabase } from '../../src/store/database.ts';
import { ensureCluster } from '../../src/store/pglite/cluster.ts';
import { openPGlite } from './open-pglite.ts';
import { createTestFolder } from './test-folder.ts';

const root = join(import.meta.dirname, '../..');
const cache = join(root, '.cache');

/** Creates a folder with an empty embedded database. Copies it, because creating a database takes seconds. */
export function createDatabaseFolder(): Promise<string> {
  const name = `empty-database-${hashFiles(CLUSTER_SOURCES)}`;
  return copyTemplate(name, ensureCluster);
}

/** Creates a folder with the bot's embedded database after its migrations, without rows. */
export function createBotDatabaseFolder(): Promise<string> {
  const sources = [...CLUSTER_SOURCES, ...globSync('src/app/migrations{.ts,/*.ts}', { cwd: root }).sort()];
  return copyTemplate(`bot-database-${hashFiles(sources)}`, async (folder) => {
    const emptyFolder = await createDatabaseFolder();
    cpSync(emptyFolder, folder, { recursive: true });
    await rm(emptyFolder, { recursive: true });
    const { dialect, close } = await openPGlite(folder);
    await openDatabase({ dialect, migrations });
    await close();
  });
}

const CLUSTER_SOURCES = [
  'src/store/pglite/cluster.ts',
  'src/store/pglite/create-cluster.ts',
  'src/store/pglite/pglite-memory.ts',
  'node_modules/@electric-sql/pglite/package.json',
];

function hashFiles(paths: readonly string[]): string {
  const sources = paths.map((path) => readFileSync(join(root, path)));
  return createHash('sha256').update(Buffer.concat(sources)).digest('hex').slice(0, 12);
}

/** Copies a folder of the cache. It is created once, and again if the code for that changes, which changes its name. */
async function copyTemplate(name: string, create: (folder: string) => Promise<unknown>): Promise<string> {
  const template = join(cache, name);
  if (!existsSync(template)) {
    mkdirSync(cache, { recursive: true });
    const folder = await mkdtemp(join(cache, 'database-'));
    await create(folder);
    // If two processes create the database at the same time, the second uses the folder of the first.
    await rename(folder, template).catch(() => rm(folder, { recursive: true }));
  }
  const copy = await createTestFolder('database-');
  // `cp` takes eight times as much CPU time for a thousand files.
  cpSync(template, copy, { recursive: true });
  return copy;
}

/** Creates a DATA_DIR with databases without rows. Copies them, because creating and migrating them takes seconds. */
export async function createDataFolder(): Promise<string> {
  const folder = await createTestFolder('data-');
  await rename(await createBotDatabaseFolder(), join(folder, 'database'));
  await rename(await createDatabaseFolder(), join(folder, 'service'));
  return folder;
}
