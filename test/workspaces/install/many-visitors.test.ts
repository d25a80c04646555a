import { afterEach, beforeEach, expect, test } from 'vitest';
import { type InstalledBot, startInstalledBot } from '../../support/installed-bot.ts';
import { setUpBotDatabase } from '../../support/set-up-database.ts';
import { followRedirect, openInstallPage } from './install-page.ts';

/** One visitor can't block the installation for others. */

const database = await setUpBotDatabase();
let installedBot: InstalledBot;

beforeEach(async () => {
  installedBot = await startInstalledBot({ db: database.db });
});
afterEach(async () => {
  await installedBot.close();
  for (const table of ['installation', 'installed_workspace', 'credential'] as const)
    await database.db.deleteFrom(table).execute();
});

/** Opens the install page several times, for the address that a proxy forwards. Returns the statuses. */
async function visitInstallPage(count: number, forwarded?: string): Promise<number[]> {
  const headers = forwarded === undefined ? {} : { 'x-forwarded-for': forwarded };
  const responses = Array.from({ length: count }, () =>
    fetch(installedBot.installUrl, { redirect: 'manual', headers }),
  );
  return (await Promise.all(responses)).map(({ status }) => status);
}

const countStatus = (statuses: readonly number[], status: number) =>
  statuses.filter((each) => each === status).length;

test('one address can begin at most 120 installations in a minute', async () => {
  expect(countStatus(await visitInstallPage(130), 302)).toBe(120);
  const lateResponse = await fetch(installedBot.installUrl, { redirect: 'manual' });
  expect([lateResponse.status, lateResponse.headers.get('retry-after')]).toEqual([429, '60']);
  expect(await lateResponse.text()).toContain('Try again in a minute.');
});

test('another visitor behind the same proxy can install', async () => {
  await installedBot.close();
  installedBot = await startInstalledBot({ db: database.db, trustedProxies: ['127.0.0.0/8'] });
  expect(countStatus(await visitInstallPage(130, '192.0.2.1'), 302)).toBe(120);
  expect(countStatus(await visitInstallPage(130, '2001:db8:1::1'), 302)).toBe(120);
  expect(await visitInstallPage(1, '2001:db8:1:ffff::2')).toEqual([429]);
  expect(await visitInstallPage(1, '192.0.2.2')).toEqual([302]);
  expect(await visitInstallPage(1, '2001:db8:2::1')).toEqual([302]);
});

test('a visitor without a trusted proxy cannot pretend to be several visitors', async () => {
  const statuses = (
    await Promise.all(Array.from({ length: 130 }, (_, index) => visitInstallPage(1, `192.0.2.${index}`)))
  ).flat();
  expect(countStatus(statuses, 302)).toBe(120);
});

test('an approved installation completes while other visitors send forged states', async () => {
  const { authorizeUrl, cookie } = await openInstallPage(installedBot);
  const redirectUrl = await installedBot.workspace.as('Ana').consent(authorizeUrl);
  const forgedUrl = `${installedBot.origin}/slack/oauth_redirect?code=x&state=${'A'.repeat(43)}`;
  const responses = await Promise.all(Array.from({ length: 300 }, () => followRedirect(forgedUrl, cookie)));
  expect(
    countStatus(
      responses.map(({ status }) => status),
      400,
    ),
  ).toBe(300);
  expect((await followRedirect(redirectUrl, cookie)).status).toBe(200);
});

test('a valid state reaches Slack once', async () => {
  const { authorizeUrl, cookie } = await openInstallPage(installedBot);
  const redirectUrl = await installedBot.workspace.as('Ana').consent(authorizeUrl);
  const responses = [];
  for (let visit = 0; visit < 25; visit += 1)
    responses.push((await followRedirect(redirectUrl, cookie)).status);
  expect([countStatus(responses, 200), countStatus(responses, 400)]).toEqual([1, 24]);
  expect(installedBot.workspace.app.calls('oauth.v2.access')).toHaveLength(1);
});
