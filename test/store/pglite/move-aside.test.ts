import { cpSync, existsSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { FolderLocked, moveAside } from '../../../src/store/pglite/locked-database.ts';
import { createDatabaseFolder } from '../../support/database-folder.ts';
import { createEarlierDatabase, readEarlierDatabase } from '../../support/earlier-database.ts';
import { openPGlite } from '../../support/open-pglite.ts';
import { createTestFolder } from '../../support/test-folder.ts';

let folder: string;
let movedFolders: string[];
const onMovedAside = (to: string) => void movedFolders.push(to);
const newerVersionOptions = { migrations: ['0001-later'], onMovedAside };

/** A folder with a database of an earlier version, which each test copies. */
let earlierFolder: string;

const removeFolders = (prefix: string) => {
  for (const path of globSync(`${prefix}*`)) rmSync(path, { recursive: true });
};

beforeAll(async () => {
  earlierFolder = await createDatabaseFolder();
  await createEarlierDatabase(earlierFolder, 'stored');
});
afterAll(() => removeFolders(earlierFolder));
beforeEach(async () => {
  folder = await createTestFolder('moved-');
  cpSync(`${earlierFolder}/cluster`, `${folder}/cluster`, { recursive: true });
  movedFolders = [];
});
afterEach(() => removeFolders(folder));

test('if the app crashed before or after it moved the old database, the next start goes on', async () => {
  mkdirSync(`${folder}-earlier-1`);
  expect(await moveAside(`${folder}/cluster`, folder)).toBe(`${folder}-earlier-1`);
  const { close } = await openPGlite(folder, newerVersionOptions);
  await close();
  expect(movedFolders).toEqual([]);
  expect(existsSync(`${folder}/cluster`)).toBe(true);
  expect(await readEarlierDatabase(`${folder}-earlier-1`)).toEqual(['stored']);
});

test('data that was moved aside is never overwritten', async () => {
  expect(await moveAside(`${folder}/cluster`, folder)).toBe(`${folder}-earlier-1`);
  cpSync(`${earlierFolder}/cluster`, `${folder}/cluster`, { recursive: true });
  writeFileSync(`${folder}/cluster/note`, 'stored later');
  expect(await moveAside(`${folder}/cluster`, folder)).toBe(`${folder}-earlier-2`);
  expect(globSync(`${folder}-earlier-*/cluster/note`)).toEqual([`${folder}-earlier-2/cluster/note`]);
});

test('a database of a newer version stays where it is, also while another process has it open', async () => {
  const { close } = await openPGlite(folder, { migrations: ['0000-before'], onMovedAside });
  await expect(openPGlite(folder, newerVersionOptions)).rejects.toThrow(FolderLocked);
  await close();
  expect(movedFolders).toEqual([]);
  expect(await readEarlierDatabase(folder)).toEqual(['stored']);
});

// PGlite with another major version of Postgres can't open existing databases. If this test fails, make `openPGlite`
// check PG_VERSION before it opens an existing database.
test('a new database folder has the same major version of Postgres as every earlier one', () => {
  expect(readFileSync(`${folder}/cluster/PG_VERSION`, 'utf8').trim()).toBe('18');
});
