import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readlinkSync,
  rmSync,
  statfsSync,
  symlinkSync,
} from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { freemem } from 'node:os';
import { join } from 'node:path';

/**
 * Where tests create their folders. During a run of the suite, that is a folder in memory if the system has a file
 * system for that, and .cache otherwise. Copying a database of 1,200 files takes 35 ms of CPU time in memory, and 300 to
 * 700 ms on ext4 when other databases were removed shortly before, because ext4 doesn't use their inodes again at once.
 */

const cache = join(import.meta.dirname, '../../.cache');
const MEMORY = '/dev/shm';
/** The folders in memory of running suites, by process id. */
const links = join(cache, 'in-memory');
/** Environment variable with the suite's folder in memory, for its workers. */
const VARIABLE = 'TEST_FOLDERS';
/** The folders of a suite need about 1 GB, and the tests themselves need memory too. */
const MIN_FREE_BYTES = 6 * 1024 ** 3;

/** Returns the folder in which tests create theirs. */
export function findParentFolder(): string {
  const parent = process.env[VARIABLE] ?? cache;
  mkdirSync(parent, { recursive: true });
  return parent;
}

/** Creates an empty folder for a test. */
export function createTestFolder(prefix: string): Promise<string> {
  return mkdtemp(join(findParentFolder(), prefix));
}

/** Makes this process and its children create the folders of tests in memory. Returns a function that removes them. */
export function useMemory(): () => void {
  removeAbandonedFolders();
  if (!hasMemory()) return () => undefined;
  const folder = mkdtempSync(join(MEMORY, 'upnext-'));
  // Postgres runs as another user.
  chmodSync(folder, 0o755);
  const link = join(links, String(process.pid));
  symlinkSync(folder, link);
  process.env[VARIABLE] = folder;
  return () => {
    rmSync(folder, { recursive: true, force: true });
    rmSync(link, { force: true });
  };
}

function hasMemory(): boolean {
  if (!existsSync(MEMORY)) return false;
  const { bavail, bsize } = statfsSync(MEMORY);
  return Math.min(bavail * bsize, freemem()) >= MIN_FREE_BYTES;
}

/** Removes the folders of suites that were killed. */
function removeAbandonedFolders(): void {
  mkdirSync(links, { recursive: true });
  for (const pid of readdirSync(links)) {
    if (isRunning(Number(pid))) continue;
    removeLinked(join(links, pid));
  }
}

/** Removes a link and its folder. Another suite may do the same at the same time. */
function removeLinked(link: string): void {
  try {
    rmSync(readlinkSync(link), { recursive: true, force: true });
  } catch (error) {
    if (!hasCode(error, 'ENOENT')) throw error;
  }
  rmSync(link, { force: true });
}

/** Whether another process has this id. A process that was killed may have had the id of this one. */
function isRunning(pid: number): boolean {
  if (pid === process.pid) return false;
  try {
    return process.kill(pid, 0);
  } catch (error) {
    // Another user's process can't be signalled, but runs.
    return !hasCode(error, 'ESRCH');
  }
}

function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}
