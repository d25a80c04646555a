import { randomBytes } from 'node:crypto';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createEncryption } from '../../src/access/access.ts';
import { migrations } from '../../src/app/migrations.ts';
import { saveSealedValue } from '../../src/forms/sealed-store.ts';
import type { BotSchema } from '../../src/handlers/schema.ts';
import { openDatabase } from '../../src/store/database.ts';
import { openPGlite } from '../../src/store/pglite/pglite.ts';
import { startCommand } from '../support/command.ts';
import { createDataFolder } from '../support/data-folder.ts';

const keys = Object.fromEntries(['old', 'new', 'lost'].map((id) => [id, { id, key: randomBytes(32) }]));
const formatSetting = (...ids: string[]) =>
  ids.map((id) => `${id}:${keys[id]?.key.toString('base64')}`).join(',');
let folder: string;

beforeEach(async () => {
  folder = await createDataFolder();
});
afterEach(() => rmSync(folder, { recursive: true }));

/** Stores one open form for each of these keys, sealed with the key. */
async function insertFormsSealedWith(...ids: string[]): Promise<void> {
  const { dialect, close } = await openPGlite(join(folder, 'database'));
  const db = await openDatabase<BotSchema>({ dialect, migrations });
  for (const id of ids) {
    const key = keys[id];
    const content = createEncryption(key ? [key] : []).encrypt('what somebody wrote', 'T1');
    await saveSealedValue(db, {
      id,
      workspace: 'T1',
      author: 'U1',
      kind: 'k',
      content,
      storedAt: new Date(),
    });
  }
  await db.destroy();
  await close();
}

async function rotate(...ids: string[]) {
  const env = { DATA_DIR: folder, LOG_LEVEL: 'warn', ENCRYPTION_KEYS: formatSetting(...ids) };
  const command = startCommand('cli/rotate-keys.ts', { env });
  return { status: await command.exit, output: command.readOutput() };
}

test('the command re-encrypts all values with the new key, so that the old key can be removed', async () => {
  await insertFormsSealedWith('old');
  expect(await rotate('new', 'old')).toEqual({
    status: 0,
    output:
      'Re-encrypted 1 values with the key "new".\nEverything is encrypted with this key. You can remove the other keys.\n',
  });
  expect((await rotate('new')).output).toContain('Everything is encrypted with this key');
});

test('the command names a missing key and the column that needs it, but prints no key', async () => {
  await insertFormsSealedWith('old', 'lost');
  const { status, output } = await rotate('new', 'old');
  expect(status).toBe(1);
  expect(output).toContain(
    'The key "lost" is missing in ENCRYPTION_KEYS: 1 values of open_form.content need it',
  );
  expect(output).not.toContain('You can remove');
  for (const { key } of Object.values(keys)) expect(output).not.toContain(key.toString('base64'));
});
