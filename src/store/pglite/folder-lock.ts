import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { basename, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { z } from 'zod';
import { readLocalTime } from '../../local-time.ts';

const lockHolderSchema = z.object({
  pid: z.number(),
  host: z.string(),
  program: z.string(),
  since: z.iso.datetime(),
});
/** The process that has locked a folder. */
type LockHolder = z.infer<typeof lockHolderSchema>;

/**
 * How long to wait for the lock. Two simultaneous attempts can block each other. Both then wait, and one of them
 * succeeds.
 */
const LOCK_TIMEOUT_MS = 500;
/** https://www.sqlite.org/rescode.html#busy */
const SQLITE_BUSY = 5;

/**
 * Another process, or another database in this process, has locked the folder. `holder` is undefined if the process
 * with the lock has not written its details yet.
 */
export class FolderLocked extends Error {
  readonly folder: string;
  readonly holder: LockHolder | undefined;

  constructor(folder: string, holder: LockHolder | undefined) {
    super(`${folder} is in use by ${holder === undefined ? 'another process' : describeHolder(holder)}`);
    this.name = 'FolderLocked';
    this.folder = folder;
    this.holder = holder;
  }
}

/**
 * Locks the folder until `release`, or until the process or thread ends. Throws FolderLocked.
 *
 * It is a lock of the operating system, acquired through SQLite (fcntl on POSIX, LockFileEx on Windows). A kill -9
 * therefore releases it at once, and two containers on one volume see each other's lock. A later process with the same
 * id isn't mistaken for the holder. SQLite also refuses a second lock within one process, which fcntl alone would allow.
 *
 * Nothing else in the process may open the lock file, because closing the file would release the lock (a rule of fcntl).
 */
export function lockFolder(folder: string): { release(): void } {
  // This may also create DATA_DIR, which contains the encryption key. Therefore only the owner may read it.
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
  // The reference prevents garbage collection, which would release the lock.
  openLocks.add(lock);
  return {
    release: () => {
      if (openLocks.delete(lock)) lock.close();
    },
  };
}

/** All locks of this process. */
const openLocks = new Set<DatabaseSync>();

function isBusy(error: unknown): boolean {
  return error instanceof Error && 'errcode' in error && error.errcode === SQLITE_BUSY;
}

function writeHolder(folder: string): void {
  const holder: LockHolder = {
    pid: process.pid,
    host: hostname(),
    program: basename(process.argv[1] ?? process.execPath),
    since: new Date(readLocalTime()).toISOString(),
  };
  // A rename is atomic, so that other processes never read a half-written file.
  writeFileSync(join(folder, 'holder.new'), JSON.stringify(holder));
  renameSync(join(folder, 'holder.new'), join(folder, 'holder.json'));
}

function readHolder(folder: string): LockHolder | undefined {
  try {
    return lockHolderSchema.parse(JSON.parse(readFileSync(join(folder, 'holder.json'), 'utf8')));
  } catch {
    return undefined;
  }
}

function describeHolder({ pid, host, program, since }: LockHolder): string {
  const location = host === hostname() ? '' : ` on ${host}`;
  return `process ${pid} (${program})${location} since ${since.slice(0, 16).replace('T', ' ')} UTC`;
}
