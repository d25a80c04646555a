import { createHash } from 'node:crypto';
import {
  existsSync,
  globSync,
  mkdirSync,
  openAsBlob,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '../..');
const FOLDER = join(ROOT, '.cache/simulations');
/** What a set-up depends on. A planted fault changes no file, so all processes share one. */
const SOURCES = ['package-lock.json', 'src/**/*.ts', 'test/simulator/**/*.ts'];

/** The file of the database that simulations begin with. Its name has the sources that created it. */
function findFile(): string {
  const hash = createHash('sha256');
  for (const name of globSync(SOURCES, { cwd: ROOT }).toSorted()) {
    hash.update(`${name}\n`).update(readFileSync(join(ROOT, name)));
  }
  return join(FOLDER, `set-up-${hash.digest('hex').slice(0, 16)}.tar`);
}

/** Whether an earlier process has set the database up. */
export const isSetUp = (): boolean => existsSync(findFile());

/** Reads the database that an earlier process has set up. Creating it takes most of the time until the first seed. */
export async function readSetUp(): Promise<Blob | undefined> {
  const file = findFile();
  return existsSync(file) ? openAsBlob(file) : undefined;
}

/** Keeps a database for other processes, instead of those of other sources. */
export async function writeSetUp(database: Blob): Promise<void> {
  const file = findFile();
  const unfinished = `${file}.${process.pid}`;
  mkdirSync(FOLDER, { recursive: true });
  for (const name of globSync('set-up-*.tar', { cwd: FOLDER })) rmSync(join(FOLDER, name), { force: true });
  writeFileSync(unfinished, await database.bytes());
  renameSync(unfinished, file);
}
