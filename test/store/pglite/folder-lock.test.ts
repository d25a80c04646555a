import { once } from 'node:events';
import { readFile, rm, stat, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest';
import { FolderLocked, lockFolder } from '../../../src/store/pglite/folder-lock.ts';
import { cacheFolder } from '../../support/database-folder.ts';
import { type Program, startProgram } from '../../support/program.ts';

const program = new URL('./programs/lock-folder.ts', import.meta.url);
let folder: string;

beforeEach(async () => {
  folder = await cacheFolder('lock-');
});

afterEach(() => rm(folder, { recursive: true }));

async function another(): Promise<Program> {
  const started = await startProgram(program, folder);
  onTestFinished(async () => void (await started.kill()));
  expect(await started.line()).toBe('there');
  return started;
}

async function lockIn(started: Program): Promise<string> {
  started.send('go');
  return started.line();
}

function refusal(): FolderLocked {
  try {
    lockFolder(folder).release();
  } catch (error) {
    if (error instanceof FolderLocked) return error;
    throw error;
  }
  throw new Error('the folder was free');
}

test('the second process reads who holds the folder, and since when', async () => {
  const holder = await another();
  expect(await lockIn(holder)).toBe('took it');
  const { message, holder: shown } = refusal();
  expect(shown).toMatchObject({ pid: holder.pid, host: hostname(), program: 'lock-folder.ts' });
  const since = shown?.since.slice(0, 16).replace('T', ' ');
  expect(message).toBe(`${folder} is in use by process ${holder.pid} (lock-folder.ts) since ${since} UTC`);
});

test('created folders are accessible to their owner only', async () => {
  const above = join(folder, 'data');
  lockFolder(join(above, 'database')).release();
  for (const made of [above, join(above, 'database')]) expect((await stat(made)).mode & 0o777).toBe(0o700);
});

test('after kill -9 of its holder the folder is free, although the lock files are still there', async () => {
  const holder = await another();
  await lockIn(holder);
  await holder.kill();
  expect(await readFile(join(folder, 'holder.json'), 'utf8')).toContain(`"pid":${holder.pid}`);
  lockFolder(folder).release();
});

test('a reused process id holds no lock', async () => {
  // The files of a dead holder whose process id now belongs to a living process, this one.
  const left = { pid: process.pid, host: hostname(), program: 'main.ts', since: '2026-11-20T08:00:00Z' };
  await writeFile(join(folder, 'holder.json'), JSON.stringify(left));
  lockFolder(folder).release();
});

test('of twelve processes that race for the folder of a killed holder, one gets it', async () => {
  const holder = await another();
  await lockIn(holder);
  const racers = await Promise.all(Array.from({ length: 12 }, another));
  await holder.kill();
  const outputs = await Promise.all(racers.map(lockIn));
  expect(outputs.filter((words) => words === 'took it')).toHaveLength(1);
  const winner = racers[outputs.indexOf('took it')]?.pid;
  for (const words of outputs) {
    if (words !== 'took it') expect(words).toContain(`is in use by process ${winner} (lock-folder.ts)`);
  }
});

test('the same process cannot lock it twice, and the attempt does not free it for others', async () => {
  const lock = lockFolder(folder);
  expect(refusal().holder?.pid).toBe(process.pid);
  expect(await lockIn(await another())).toContain(`process ${process.pid} `);
  lock.release();
  lock.release();
  expect(await lockIn(await another())).toBe('took it');
});

test('a terminated thread holds no lock', async () => {
  const path = new URL('../../../src/store/pglite/folder-lock.ts', import.meta.url);
  const thread = new Worker(
    `const { parentPort, workerData } = require('node:worker_threads');
     import(workerData.path).then(({ lockFolder }) => { lockFolder(workerData.folder); parentPort.postMessage('took it'); });
     parentPort.on('message', () => {});`,
    { eval: true, workerData: { path: path.href, folder } },
  );
  expect(await once(thread, 'message')).toEqual(['took it']);
  expect(refusal().holder?.pid).toBe(process.pid);
  await thread.terminate();
  lockFolder(folder).release();
});

test('the error names the other computer of a holder', async () => {
  const holder = await another();
  await lockIn(holder);
  const there = { pid: 7, host: 'elsewhere', program: 'main.ts', since: '2026-11-20T08:00:00Z' };
  await writeFile(join(folder, 'holder.json'), JSON.stringify(there));
  expect(refusal().message).toContain(
    'is in use by process 7 (main.ts) on elsewhere since 2026-11-20 08:00 UTC',
  );
});

test('a holder without details yet still holds the lock', async () => {
  const holder = await another();
  await lockIn(holder);
  await rm(join(folder, 'holder.json'));
  expect(refusal().message).toBe(`${folder} is in use by another process`);
});
