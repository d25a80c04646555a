import { existsSync, globSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { FolderLocked } from '../../../src/store/pglite/folder-lock.ts';
import { openPGlite } from '../../../src/store/pglite/pglite.ts';
import { newDatabaseFolder } from '../../support/database-folder.ts';
import { createEarlierDatabase, readEarlierDatabase } from '../../support/earlier-database.ts';

let folder: string;
let moved: string[];
const onMovedAside = (to: string) => void moved.push(to);
const later = { migrations: ['0001-later'], onMovedAside };

beforeEach(async () => {
  folder = await newDatabaseFolder();
  moved = [];
  await createEarlierDatabase(folder, 'kept');
});
afterEach(() => {
  for (const made of globSync(`${folder}*`)) rmSync(made, { recursive: true });
});

test('after a crash between creating the target folder and moving, the same folder is used', async () => {
  mkdirSync(`${folder}-earlier-1`);
  const { close } = await openPGlite(folder, later);
  await close();
  expect(moved).toEqual([`${folder}-earlier-1`]);
  expect(await readEarlierDatabase(`${folder}-earlier-1`)).toEqual(['kept']);
});

test('after a crash between moving and creating the new database, the new one is created', async () => {
  const { close } = await openPGlite(folder, later);
  await close();
  rmSync(`${folder}/cluster`, { recursive: true });
  const again = await openPGlite(folder, later);
  await again.close();
  expect(moved).toHaveLength(1);
  expect(existsSync(`${folder}/cluster`)).toBe(true);
});

test('a database that another process has open stays where it is', async () => {
  const { close } = await openPGlite(folder);
  await expect(openPGlite(folder, later)).rejects.toThrow(FolderLocked);
  await close();
  expect(moved).toEqual([]);
  expect(await readEarlierDatabase(folder)).toEqual(['kept']);
});

test('a newer version’s database stays where it is', async () => {
  const { close } = await openPGlite(folder, { migrations: ['0000-before'], onMovedAside });
  await close();
  expect(moved).toEqual([]);
  expect(await readEarlierDatabase(folder)).toEqual(['kept']);
});

// Another major version can't open these clusters. If this fails, check their file PG_VERSION before they are opened.
test('a new cluster is of the same major version of Postgres as every earlier one', () => {
  expect(readFileSync(`${folder}/cluster/PG_VERSION`, 'utf8').trim()).toBe('18');
});
