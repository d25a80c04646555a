import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openDatabase } from '../../src/store/database.ts';
import { openPGlite } from '../../src/store/pglite/pglite.ts';
import { startCommand } from '../support/command.ts';
import { newDataFolder } from '../support/data-folder.ts';

/** A data folder whose service was once run by a version that knows more migrations. */
async function newerFolder(): Promise<string> {
  const folder = await newDataFolder();
  const { dialect } = await openPGlite(join(folder, 'service'));
  const up = async () => {};
  const db = await openDatabase<unknown>({ dialect, migrations: { '999-of-tomorrow': { up } } });
  await db.destroy();
  return folder;
}

test.each([[[]], [['load', '--posts', '5']]])(
  'a folder of a newer version is told by DATA_DIR, and not by the port or the number of posts: %j',
  async (args) => {
    const folder = await newerFolder();
    const command = startCommand('cli/service.ts', { args, env: { DATA_DIR: folder, SERVICE_PORT: '0' } });
    expect(await command.ended).toBe(1);
    expect(command.output().trim()).toMatch(/^DATA_DIR: .*newer version.*999-of-tomorrow.*$/);
    await rm(folder, { recursive: true });
  },
);
