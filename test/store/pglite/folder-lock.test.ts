import { once } from 'node:events';
import { readFile, rm, stat, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest';
import { FolderLocked, lockFolder } from '../../../src/store/pglite/locked-database.ts';
import { type Program, startProgram } from '../../support/program.ts';
import { createTestFolder } from '../../support/test-folder.ts';

const program = new URL('./programs/lock-folder.ts', import.meta.url);
let folder: string;

beforeEach(async () => {
  folder = await createTestFolder('lock-');
});

afterEach(() => rm(folder, { recursive: true }));

async function startProcess(): Promise<Program> {
  const lockProgram = await startProgram(program, folder);
  onTestFinished(async () => void (await lockProgram.kill()));
  expect(await lockProgram.readLine()).toBe('ready');
  return lockProgram;
}

async function lockInProcess(lockProgram: Program): Promise<string> {
  lockProgram.send('go');
  return lockProgram.readLine();
}

function getRefusal(): FolderLocked {
  try {
    lockFolder(folder).release();
  } catch (error) {
    if (error instanceof FolderLocked) return error;
    throw error;
  }
  throw new Error('the folder was free');
}

test('the error for a locked folder says which process uses it, and since when', async () => {
  const holder = await startProcess();
  expect(await lockInProcess(holder)).toBe('locked the folder');
  const { message, holder: shownHolder } = getRefusal();
  expect(shownHolder).toMatchObject({ pid: holder.pid, host: hostname(), program: 'lock-folder.ts' });
  const since = shownHolder?.since.slice(0, 16).replace('T', ' ');
  expect(message).toBe(`${folder} is in use by process ${holder.pid} (lock-folder.ts) since ${since} UTC`);

  const holderFile = { pid: 7, host: 'elsewhere', program: 'main.ts', since: '2026-11-20T08:00:00Z' };
  await writeFile(join(folder, 'holder.json'), JSON.stringify(holderFile));
  expect(getRefusal().message).toContain(
    'is in use by process 7 (main.ts) on elsewhere since 2026-11-20 08:00 UTC',
  );
  // The process that locked it hasn't written its details yet.
  await rm(join(folder, 'holder.json'));
  expect(getRefusal().message).toBe(`${folder} is in use by another process`);
});

test('created folders are accessible only to their owner', async () => {
  const parent = join(folder, 'data');
  lockFolder(join(parent, 'database')).release();
  for (const folder of [parent, join(parent, 'database')])
    expect((await stat(folder)).mode & 0o777).toBe(0o700);
});

test('a process that has the id of an ended process isn’t mistaken for it', async () => {
  // The file of an ended process whose id now belongs to this process.
  const holderFile = {
    pid: process.pid,
    host: hostname(),
    program: 'main.ts',
    since: '2026-11-20T08:00:00Z',
  };
  await writeFile(join(folder, 'holder.json'), JSON.stringify(holderFile));
  lockFolder(folder).release();
});

test('if six processes try to lock the folder of a killed process, only one succeeds', async () => {
  const holder = await startProcess();
  await lockInProcess(holder);
  const racers = await Promise.all(Array.from({ length: 6 }, startProcess));
  await holder.kill();
  expect(await readFile(join(folder, 'holder.json'), 'utf8')).toContain(`"pid":${holder.pid}`);
  const outputs = await Promise.all(racers.map(lockInProcess));
  expect(outputs.filter((output) => output === 'locked the folder')).toHaveLength(1);
  const winner = racers[outputs.indexOf('locked the folder')]?.pid;
  for (const output of outputs) {
    if (output !== 'locked the folder')
      expect(output).toContain(`is in use by process ${winner} (lock-folder.ts)`);
  }
});

test('a process cannot lock a folder twice, and the attempt does not unlock the folder for others', async () => {
  const lock = lockFolder(folder);
  expect(getRefusal().holder?.pid).toBe(process.pid);
  expect(await lockInProcess(await startProcess())).toContain(`process ${process.pid} `);
  lock.release();
  lock.release();
  expect(await lockInProcess(await startProcess())).toBe('locked the folder');
});

test('the lock of a terminated thread is released', async () => {
  const path = new URL('../../../src/store/pglite/locked-database.ts', import.meta.url);
  const thread = new Worker(
    `const { parentPort, workerData } = require('node:worker_threads');
     import(workerData.path).then(({ lockFolder }) => { lockFolder(workerData.folder); parentPort.postMessage('locked the folder'); });
     parentPort.on('message', () => {});`,
    { eval: true, workerData: { path: path.href, folder } },
  );
  expect(await once(thread, 'message')).toEqual(['locked the folder']);
  expect(getRefusal().holder?.pid).toBe(process.pid);
  await thread.terminate();
  lockFolder(folder).release();
});
