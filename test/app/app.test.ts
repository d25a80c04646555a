import { sql } from 'kysely';
import { SILENT } from 'slack-workspace-emulator/test-support/workspace';
import { beforeAll, expect, test } from 'vitest';
import { createEncryption } from '../../src/access/access.ts';
import { createApiClient } from '../../src/api/client.ts';
import { createBot } from '../../src/app/app.ts';
import { features } from '../../src/app/features.ts';
import { setUpBot } from '../support/set-up-bot.ts';
import { settings } from '../support/start-digests.ts';

const { database, running, startBot } = setUpBot();

beforeAll(async () => {
  await startBot();
});

test.each(['bot', 'app'] as const)('the bot does not start with an invalid %s token', async (badToken) => {
  const { apiUrl, botToken, appToken } = running.workspace;
  const bot = createBot({
    slack: {
      kind: 'socket',
      apiUrl,
      botToken: badToken === 'bot' ? 'xoxb-wrong' : botToken,
      appToken: badToken === 'app' ? 'xapp-wrong' : appToken,
    },
    api: createApiClient({ baseUrl: 'http://127.0.0.1:1', token: 'none' }),
    db: database.db,
    encryption: createEncryption([{ id: 'test', key: Buffer.alloc(32) }]),
    log: SILENT,
    isEmulated: false,
  });
  expect(await bot.isReady()).toBe(false);
  await expect(bot.start()).rejects.toThrow(`Slack refuses the ${badToken} token: invalid_auth`);
  await bot.stop();
});

test('an instance whose database has become read-only is not ready', async () => {
  const setReadOnly = (value: 'on' | 'off') =>
    sql`select set_config('default_transaction_read_only', ${value}, false)`.execute(database.db);
  expect(await running.bot.isReady()).toBe(true);
  await setReadOnly('on');
  try {
    await expect(running.bot.isReady()).rejects.toMatchObject({ code: '25006' });
  } finally {
    await setReadOnly('off');
  }
  expect(await running.bot.isReady()).toBe(true);
});

test.each([true, false])(
  'an instance with SEND_DIGESTS=%s handles a due digest only if it should',
  async (sendsDigests) => {
    const { apiUrl, botToken, appToken } = running.workspace;
    const { db } = database;
    // The other instance would handle the digest too.
    await running.bot.engine.stop();
    const digest = await running.bot.digests.save(settings(), 'U1');
    const yesterday = new Date(Date.now() - 24 * 60 * 60 * 1000);
    await db
      .updateTable('digest')
      .set({ next_at: yesterday })
      .where('id', '=', digest?.id ?? '')
      .execute();
    const lines: string[] = [];
    const bot = createBot({
      slack: { kind: 'socket', apiUrl, botToken, appToken },
      api: createApiClient({ baseUrl: 'http://127.0.0.1:1', token: 'none' }),
      db,
      encryption: createEncryption([{ id: 'test', key: Buffer.alloc(32) }]),
      log: { ...SILENT, info: (_fields, message) => void lines.push(message) },
      isEmulated: false,
      sendsDigests,
    });
    await bot.start();
    // Meanwhile the first scan for due digests begins. `stop` waits for its end.
    await bot.engine.runOnce();
    await bot.stop();
    const occurrences = await db
      .selectFrom('digest_occurrence')
      .select('id')
      .where('digest', '=', digest?.id ?? '')
      .execute();
    expect(occurrences.length > 0).toBe(sendsDigests);
    expect(lines.includes('digests are left to other instances')).toBe(!sendsDigests);
  },
);

test('after an internal error the person gets back what they typed, and a reference to the error in the log', async () => {
  const ana = running.workspace.as('Ana').in('#general');
  await database.db.schema.alterTable('channel_project').renameTo('hidden').execute();
  try {
    await ana.type('/upnext posts  <!channel> & ours');
    await ana.sees('Something went wrong.');
    await ana.sees('You typed:\n/upnext posts  <!channel> & ours');
  } finally {
    await database.db.schema.alterTable('hidden').renameTo('channel_project').execute();
  }
  const reference = /reference: (\w{8})/.exec(ana.read())?.[1] ?? 'none';
  const line = running.logged.find((logLine) => logLine.includes(reference));
  expect(line).toContain('channel_project');
});

test('no id has two handlers', () => {
  const ids = features.flatMap(({ actions = {}, views = {}, options = {} }) => [
    ...Object.keys(actions).map((id) => `action ${id}`),
    ...Object.keys(views).map((id) => `view ${id}`),
    ...Object.keys(options).map((id) => `options ${id}`),
  ]);
  expect(new Set(ids).size).toBe(ids.length);
});
