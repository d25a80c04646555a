import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, readdir, rename, rm, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const CREATION_PROGRAM = fileURLToPath(new URL('./create-cluster.ts', import.meta.url));
/** Prefix of the temporary name of a cluster that is being created. */
const UNFINISHED_PREFIX = 'cluster.unfinished-';
/** V8 flag that disables the optimisation of PGlite's code, which would briefly need 500 MB. */
const LOW_MEMORY_FLAG = '--liftoff-only';

/** The size of a file of the write-ahead log. With 4 instead of Postgres' 16, a new cluster takes 31 MB instead of 39. */
export const LOG_FILE_MB = 4;
/** Size of a new cluster. */
const CLUSTER_BYTES = 31 * 2 ** 20;

/** Returns how many bytes a folder's disk still takes. */
export async function readFreeDiskBytes(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize;
}

/**
 * Returns the folder of the Postgres cluster inside `folder`, and creates the cluster if there is none. A child process
 * runs initdb, because initdb takes 200 MB. A worker thread would not release that memory when it exits. The cluster is
 * created under a temporary name and then renamed, because an incomplete cluster can't be used. The temporary name is
 * different each time, because an earlier process may still be writing to its unfinished cluster.
 */
export async function ensureCluster(folder: string): Promise<string> {
  const cluster = join(folder, 'cluster');
  if (existsSync(cluster)) return cluster;
  for (const name of await readdir(folder)) {
    if (name.startsWith(UNFINISHED_PREFIX)) await rm(join(folder, name), { recursive: true, force: true });
  }
  const unfinishedCluster = await mkdtemp(join(folder, UNFINISHED_PREFIX));
  try {
    await promisify(execFile)(process.execPath, [LOW_MEMORY_FLAG, CREATION_PROGRAM, unfinishedCluster]);
  } catch (error) {
    // initdb says no more than the number of an error.
    if ((await readFreeDiskBytes(folder)) >= CLUSTER_BYTES) throw error;
    throw new Error(`the disk with ${folder} is full: a new database takes 31 MB`, { cause: error });
  }
  await rename(unfinishedCluster, cluster);
  return cluster;
}
