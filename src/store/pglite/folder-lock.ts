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

/**
 * How long to wait for the lock, ms. Of two simultaneous attempts each can block the other; both wait, and one
 * succeeds.
 */
const LOCK_TIMEOUT_MS = 500;
/** https://www.sqlite.org/rescode.html#busy */
const SQLITE_BUSY = 5;

/** Another process or database holds the folder. `holder` is undefined in the instant after it has taken the lock. */
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
 * Locks the folder until `release`, or until the process or thread ends. Throws FolderLocked.
 *
 * It is a kernel lock, taken through SQLite (fcntl on POSIX, LockFileEx on Windows). A kill -9 therefore frees it at
 * once, a reused process id can't hold it, and two containers on one volume see each other's lock. SQLite also
 * separates two locks in one process, which fcntl doesn't.
 *
 * Nothing else in the process may open the lock file, because closing it would free the lock (a rule of fcntl).
 */
export function lockFolder(folder: string): { release(): void } {
  // This may create DATA_DIR as well, which holds the encryption key; hence the mode.
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const lock = new DatabaseSync(join(folder, 'lock'), { timeout: LOCK_TIMEOUT_MS });
  try {
    lock.exec('PRAGMA journal_mode = OFF; BEGIN EXCLUSIVE');
  } catch (error) {
    lock.close();
    if (isBusy(error)) throw new FolderLocked(folder, readHolder(folder));
    throw new Error(`could not lock ${folder}`, { cause: error });
  }
  writeHolder(folder);
  // Without a reference the lock would be garbage-collected, which frees it.
  heldLocks.add(lock);
  return {
    release: () => {
      if (heldLocks.delete(lock)) lock.close();
    },
  };
}

const heldLocks = new Set<DatabaseSync>();

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
  // Renaming is atomic, so that nobody reads a half-written file.
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
