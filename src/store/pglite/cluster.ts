import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const PROGRAM = fileURLToPath(new URL('./create-cluster.ts', import.meta.url));
const UNFINISHED = 'cluster.unfinished-';
/** Compiles PGlite's code without optimising it, which alone takes 500 MB for a moment. */
const FRUGAL = '--liftoff-only';

/**
 * The folder of the Postgres cluster inside `folder`; made the first time. It is made by a process of its own, because
 * initdb leaves 200 MB behind it (a thread's end does not give them back), and under another name, because a half-made
 * cluster cannot be used. A new name each time: whoever made an unfinished one may still be writing.
 */
export async function ensureCluster(folder: string): Promise<string> {
  const cluster = join(folder, 'cluster');
  if (existsSync(cluster)) return cluster;
  for (const name of await readdir(folder)) {
    if (name.startsWith(UNFINISHED)) await rm(join(folder, name), { recursive: true, force: true });
  }
  const unfinished = await mkdtemp(join(folder, UNFINISHED));
  await promisify(execFile)(process.execPath, [FRUGAL, PROGRAM, unfinished]);
  await rename(unfinished, cluster);
  return cluster;
}
