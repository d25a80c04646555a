import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openDatabase } from '../../src/store/database.ts';
import { openPGlite } from '../../src/store/pglite/pglite.ts';
import { startCommand } from '../support/command.ts';
import { newDataFolder } from '../support/data-folder.ts';

/** A data folder that a newer version has migrated. */
async function newerFolder(): Promise<string> {
  const folder = await newDataFolder();
  const { dialect } = await openPGlite(join(folder, 'service'));
  const up = async () => {};
  const db = await openDatabase<unknown>({ dialect, migrations: { '999-of-tomorrow': { up } } });
  await db.destroy();
  return folder;
}

test.each([[[]], [['load', '--posts', '5']]])(
  'for a folder of a newer version the error names DATA_DIR, and not the port or the number of posts: %j',
  async (args) => {
    const folder = await newerFolder();
    const command = startCommand('cli/service.ts', { args, env: { DATA_DIR: folder, SERVICE_PORT: '0' } });
    expect(await command.ended).toBe(1);
    expect(command.output().trim()).toMatch(/^DATA_DIR: .*newer version.*999-of-tomorrow.*$/);
    await rm(folder, { recursive: true });
  },
);
