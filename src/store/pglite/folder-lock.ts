import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { basename, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { z } from 'zod';

const holderSchema = z.object({
  pid: z.number(),
  host: z.string(),
  program: z.string(),
  since: z.iso.datetime(),
});
type Holder = z.infer<typeof holderSchema>;

/** Two who try at the same moment can both find the other in the way; both wait so long, and one gets it. */
const WAIT_MS = 500;
/** https://www.sqlite.org/rescode.html#busy */
const SQLITE_BUSY = 5;

/** Somebody else holds the folder. What is known of the holder may be missing in the instant after it took the lock. */
export class FolderLocked extends Error {
  readonly folder: string;
  readonly holder: Holder | undefined;

  constructor(folder: string, holder: Holder | undefined) {
    super(`${folder} is in use by ${holder === undefined ? 'another process' : describe(holder)}`);
    this.name = 'FolderLocked';
    this.folder = folder;
    this.holder = holder;
  }
}

/**
 * Takes the folder for this process until `release`, or until the process or the thread is gone: the lock is the
 * kernel's, through SQLite (fcntl on POSIX, LockFileEx on Windows), so that a kill -9 frees it at once, a pid used again
 * cannot hold it and two containers over one volume see each other. SQLite also keeps two takers in one process apart,
 * which fcntl does not. Throws FolderLocked.
 *
 * Nothing else in the process may open the lock file: closing it again would free the lock (a rule of fcntl's).
 */
export function lockFolder(folder: string): { release(): void } {
  // The first part to start also makes DATA_DIR, which holds the encryption key.
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const lock = new DatabaseSync(join(folder, 'lock'), { timeout: WAIT_MS });
  try {
    lock.exec('PRAGMA journal_mode = OFF; BEGIN EXCLUSIVE');
  } catch (error) {
    lock.close();
    if (isBusy(error)) throw new FolderLocked(folder, readHolder(folder));
    throw new Error(`${folder} cannot be locked`, { cause: error });
  }
  writeHolder(folder);
  // Kept, because a lock that nobody refers to would be collected, and with it freed.
  held.add(lock);
  return {
    release: () => {
      if (held.delete(lock)) lock.close();
    },
  };
}

const held = new Set<DatabaseSync>();

function isBusy(error: unknown): boolean {
  return error instanceof Error && 'errcode' in error && error.errcode === SQLITE_BUSY;
}

function writeHolder(folder: string): void {
  const holder: Holder = {
    pid: process.pid,
    host: hostname(),
    program: basename(process.argv[1] ?? process.execPath),
    since: new Date().toISOString(),
  };
  // Renamed into place, so that nobody reads half of it.
  writeFileSync(join(folder, 'holder.new'), JSON.stringify(holder));
  renameSync(join(folder, 'holder.new'), join(folder, 'holder.json'));
}

function readHolder(folder: string): Holder | undefined {
  try {
    return holderSchema.parse(JSON.parse(readFileSync(join(folder, 'holder.json'), 'utf8')));
  } catch {
    return undefined;
  }
}

function describe({ pid, host, program, since }: Holder): string {
  const where = host === hostname() ? '' : ` on ${host}`;
  return `process ${pid} (${program})${where} since ${since.slice(0, 16).replace('T', ' ')} UTC`;
}
