import { afterEach, beforeEach, expect, test } from 'vitest';
import { type InstalledBot, startInstalledBot } from '../support/installed-bot.ts';
import { setUpBotDatabase } from '../support/set-up-database.ts';
import { ask } from '../support/steps.ts';

const database = await setUpBotDatabase();
let installedBot: InstalledBot;
let now: Date;

beforeEach(async () => {
  now = new Date();
  installedBot = await startInstalledBot({ db: database.db, now: () => now, rotation: true });
});
afterEach(async () => {
  await installedBot.close();
  for (const table of ['installation', 'installed_workspace', 'once_claim'] as const)
    await database.db.deleteFrom(table).execute();
});

const listInstallations = async () =>
  (await database.db.selectFrom('installation').select('id').execute()).map(({ id }) => id);

test('rotating tokens are refreshed, and simultaneous requests don’t use a refresh token twice', async () => {
  const ana = installedBot.workspace.as('Ana').in('#general');
  await ana.install(installedBot.installUrl);
  now = new Date(now.getTime() + 13 * 60 * 60 * 1000);
  const rowBefore = await database.db.selectFrom('installation').select('tokens').executeTakeFirstOrThrow();
  await Promise.all(Array.from({ length: 10 }, () => ana.type('/upnext help')));
  await ana.sees('Common commands');
  const rowAfter = await database.db.selectFrom('installation').select('tokens').executeTakeFirstOrThrow();
  expect(rowAfter.tokens).not.toBe(rowBefore.tokens);
  expect(installedBot.logged.filter((line) => line.includes('invalid_refresh_token'))).toEqual([]);
  expect(installedBot.logged.join()).not.toMatch(/xox[a-z]/);
});

test('if Slack refuses to refresh the token, people read how to install the app again', async () => {
  const ana = installedBot.workspace.as('Ana').in('#general');
  await ana.install(installedBot.installUrl);
  installedBot.workspace.admin.revokeToken();
  await expect.poll(listInstallations).toEqual([]);
  await ana.install(installedBot.installUrl);
  // The stored token is older than Slack's, as after a restored backup.
  const row = await database.db.selectFrom('installation').selectAll().executeTakeFirstOrThrow();
  now = new Date(now.getTime() + 13 * 60 * 60 * 1000);
  await ask(ana, '/upnext help', 'Common commands');
  await database.db
    .updateTable('installation')
    .set({ tokens: row.tokens, expires_at: row.expires_at })
    .execute();
  now = new Date(now.getTime() + 13 * 60 * 60 * 1000);
  // Slack accepts a used refresh token only for a short time.
  installedBot.workspace.clock.advance(61_000);
  await ask(ana, '/upnext help', 'Upnext isn’t installed in this workspace. Install it here:');
  expect(installedBot.logged.join()).toContain('Slack refused the refresh token');
  expect(installedBot.logged.join()).not.toMatch(/xox[a-z]/);
});
