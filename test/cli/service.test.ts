import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Kysely } from 'kysely';
import type { ServiceSchema } from 'scheduling-service-emulator';
import { expect, test } from 'vitest';
import { openDatabase } from '../../src/store/database.ts';
import { startCommand } from '../support/command.ts';
import { createDataFolder } from '../support/database-folder.ts';
import { openPGlite } from '../support/open-pglite.ts';

/** Creates a data folder that a newer version has migrated. */
async function createNewerFolder(): Promise<string> {
  const folder = await createDataFolder();
  const { dialect } = await openPGlite(join(folder, 'service'));
  const up = async () => {};
  const db = await openDatabase<unknown>({ dialect, migrations: { '999-of-tomorrow': { up } } });
  await db.destroy();
  return folder;
}

test('the error for data of a newer version names DATA_DIR, also while posts are loaded', async () => {
  const folder = await createNewerFolder();
  for (const args of [[], ['load', '--posts', '5']]) {
    const command = startCommand('cli/service.ts', { args, env: { DATA_DIR: folder, SERVICE_PORT: '0' } });
    expect(await command.exit).toBe(1);
    expect(command.readOutput().trim()).toMatch(/^DATA_DIR: .*newer version.*999-of-tomorrow.*$/);
  }
  await rm(folder, { recursive: true });
});

test('the practice service has the posts that were loaded into a new project', async () => {
  const folder = await createDataFolder();
  const command = startCommand('cli/service.ts', {
    args: ['load', '--posts', '5', '--project', 'Corner Bakery'],
    env: { DATA_DIR: folder },
  });
  expect(await command.exit).toBe(0);
  expect(command.readOutput()).toContain('100 %  5 of 5 posts');
  const { dialect } = await openPGlite(join(folder, 'service'));
  const db = new Kysely<ServiceSchema>({ dialect });
  const posts = await db
    .selectFrom('posts')
    .innerJoin('projects', 'projects.id', 'posts.project_id')
    .select('projects.name')
    .where('projects.name', '=', 'Corner Bakery')
    .execute();
  expect(posts).toHaveLength(5);
  await db.destroy();
  await rm(folder, { recursive: true });
});

test('a killed process leaves its compiled code for the next start', async () => {
  const folder = await createDataFolder();
  const cache = join(folder, 'compiled');
  const command = startCommand('cli/service.ts', {
    env: { DATA_DIR: folder, SERVICE_PORT: '0', NODE_COMPILE_CACHE: cache },
  });
  await command.waitForOutput(/listens at/);
  const countFiles = async () => (await readdir(cache, { recursive: true }).catch(() => [])).length;
  await expect.poll(countFiles).toBeGreaterThan(100);
  command.kill('SIGKILL');
  await command.exit;
  await rm(folder, { recursive: true });
});
