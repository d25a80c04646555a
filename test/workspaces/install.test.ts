import { request } from 'node:http';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type InstalledBot, startInstalledBot } from '../support/installed-bot.ts';
import { setUpBotDatabase } from '../support/set-up-database.ts';
import { ask } from '../support/steps.ts';
import { followRedirect, openInstallPage } from './install/install-page.ts';
import { insertWorkspaceData } from './workspace-data.ts';

const COOKIE = 'upnext-install';
const TABLES = [
  ...['installation', 'installed_workspace', 'credential', 'once_claim', 'open_form', 'submission', 'digest'],
  'digest_occurrence',
] as const;
const database = await setUpBotDatabase();
let installedBot: InstalledBot;
let now: Date;

beforeEach(async () => {
  now = new Date();
  installedBot = await startInstalledBot({ db: database.db, now: () => now });
});
afterEach(async () => {
  await installedBot.close();
  for (const table of TABLES) await database.db.deleteFrom(table).execute();
});

const listInstallations = async () =>
  (await database.db.selectFrom('installation').select('id').execute()).map(({ id }) => id);

describe('an installation', () => {
  test('an installation leads to Slack and back, and shows the installer the next steps', async () => {
    const ana = installedBot.workspace.as('Ana');
    const page = await ana.install(installedBot.installUrl);
    expect([page.status, page.html]).toEqual([
      200,
      expect.stringContaining('Upnext is installed in Harbour Coffee'),
    ]);
    expect(await listInstallations()).toEqual(['T01HARBOUR']);
    const row = await database.db.selectFrom('installation').selectAll().executeTakeFirstOrThrow();
    expect(JSON.stringify(row)).not.toContain(installedBot.workspace.team.botToken);
    expect(row.tokens).toMatch(/^v1:test:/);

    const directMessages = await ana.inDirectMessage();
    await directMessages.sees('Upnext is installed, and you’re its first Owner.');
    await directMessages.sees('your scheduling service');
    await ana.openMessages();
    await ask(directMessages, 'thanks', 'I don’t understand “thanks”.');
    expect(directMessages.read()).not.toContain('Hi! I’m Upnext');
    await directMessages.press('Connect a service');
    await directMessages.modal('Connect a service');
  });

  test('an installation without an optional permission works, and /upnext status says what’s missing', async () => {
    const page = await installedBot.workspace
      .as('Ana')
      .install(installedBot.installUrl, { declinedScopes: ['usergroups:read'] });
    expect(page.html).toContain('Upnext is installed in Harbour Coffee');
    const ana = installedBot.workspace.as('Ana').in('#general');
    await ask(ana, '/upnext status', 'without usergroups:read.');
    expect(ana.read()).not.toContain('without emoji:read');
  });

  test('an installation requests the manifest’s scopes, and redirects to the app’s public address', async () => {
    const { authorizeUrl, setCookie, status } = await openInstallPage(installedBot);
    const url = new URL(authorizeUrl);
    expect([status, url.origin + url.pathname]).toEqual([302, installedBot.workspace.authorizeUrl]);
    expect(Object.fromEntries(url.searchParams)).toEqual({
      client_id: installedBot.workspace.clientId,
      scope: expect.stringContaining('chat:write'),
      redirect_uri: `${installedBot.origin}/slack/oauth_redirect`,
      state: expect.stringMatching(/^[\w-]{43}$/),
    });
    expect(setCookie).toMatch(/^upnext-install=[\w-]{43}; Path=\/; Max-Age=600; HttpOnly; SameSite=Lax$/);
  });

  test('the page after an installation runs no script, and can be neither framed nor cached', async () => {
    const { headers } = await followRedirect(`${installedBot.origin}/slack/oauth_redirect`, undefined);
    expect(Object.fromEntries(headers)).toMatchObject({
      'content-security-policy': expect.stringMatching(
        /^default-src 'none'; style-src 'nonce-[^']+'; .*frame-ancestors 'none'$/,
      ),
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'cache-control': 'no-store',
    });
  });

  test('a person who declines in Slack reads that nothing was installed', async () => {
    const page = await installedBot.workspace.as('Ana').install(installedBot.installUrl, { cancel: true });
    expect(page.html).toContain('Nothing was installed');
    expect(page.html).toContain('so nothing has changed.');
    expect(page.html).toContain(`<a href="${installedBot.installUrl}">Begin again</a>`);
    expect(await listInstallations()).toEqual([]);
  });

  test.each(['POST', 'PUT', 'DELETE'])('the method %s is not allowed on the install page', async (method) => {
    expect((await fetch(installedBot.installUrl, { method, redirect: 'manual' })).status).toBe(405);
  });

  test.each([
    ['known length', { 'content-length': '5' }],
    ['unknown length', { 'transfer-encoding': 'chunked' }],
  ])(
    'a request for the install page with a body of %s is refused, and its body is not read',
    async (_length, headers) => {
      const status = await new Promise((resolve, reject) => {
        request(installedBot.installUrl, { method: 'GET', headers }, (response) => {
          response.resume();
          resolve(response.statusCode);
        })
          .once('error', reject)
          .end('hello');
      });
      expect(status).toBe(405);
    },
  );
});

describe('an installation with an invalid state or code', () => {
  const actAsAna = () => installedBot.workspace.as('Ana');
  afterEach(async () => expect(await listInstallations()).toEqual([]));

  test('nothing is installed with a state without its cookie', async () => {
    const { authorizeUrl } = await openInstallPage(installedBot);
    const response = await followRedirect(await actAsAna().consent(authorizeUrl), undefined);
    expect([response.status, response.html]).toEqual([
      400,
      expect.stringContaining('Nothing new was installed'),
    ]);
  });

  test('nothing is installed with a state of another browser', async () => {
    const [ownVisit, otherVisit] = [await openInstallPage(installedBot), await openInstallPage(installedBot)];
    const ownRedirectUrl = await actAsAna().consent(ownVisit.authorizeUrl);
    const otherRedirectUrl = await actAsAna().consent(otherVisit.authorizeUrl);
    expect((await followRedirect(ownRedirectUrl, otherVisit.cookie)).status).toBe(400);
    expect((await followRedirect(otherRedirectUrl, ownVisit.cookie)).status).toBe(400);
  });

  test.each<[title: string, state?: string]>([
    ['with a state that is older than ten minutes', 'old'],
    ['with a state that is invented', 'A'.repeat(43)],
    ['with a state that is in another format', '../../etc/passwd'],
    ['with a state that is empty', ''],
    ['without a state'],
  ])('nothing is installed %s', async (_title, state) => {
    const { authorizeUrl, cookie } = await openInstallPage(installedBot);
    const redirectUrl = new URL(await actAsAna().consent(authorizeUrl));
    if (state === 'old') now = new Date(now.getTime() + 10 * 60 * 1000);
    else if (state === undefined) redirectUrl.searchParams.delete('state');
    else redirectUrl.searchParams.set('state', state);
    expect((await followRedirect(redirectUrl.href, cookie)).status).toBe(400);
  });

  test('nothing is installed with an unknown code', async () => {
    const { authorizeUrl, cookie } = await openInstallPage(installedBot);
    const redirectUrl = new URL(await actAsAna().consent(authorizeUrl));
    redirectUrl.searchParams.set('code', 'invented');
    const response = await followRedirect(redirectUrl.href, cookie);
    expect([response.status, response.html]).toEqual([
      400,
      expect.stringContaining('Nothing new was installed'),
    ]);
  });
});

test('somebody else who installs the app again doesn’t read that they own it', async () => {
  await installedBot.workspace.as('Ana').install(installedBot.installUrl);
  const mira = installedBot.workspace.as('Mira');
  await mira.install(installedBot.installUrl);
  const directMessages = await mira.inDirectMessage();
  await directMessages.sees('Upnext is installed again. Roles and posts stay as they were.');
  expect(directMessages.read()).not.toContain('first Owner');
});

test('the Owner who installs the app again doesn’t read that a service has to be connected', async () => {
  const ana = installedBot.workspace.as('Ana');
  await ana.install(installedBot.installUrl);
  await insertWorkspaceData(database.db, 'T01HARBOUR');
  await ana.install(installedBot.installUrl);
  const directMessages = await ana.inDirectMessage();
  await directMessages.sees('Upnext is installed again. Roles and posts stay as they were.');
});

test('a code works only once, and a second redirect installs nothing', async () => {
  const { authorizeUrl, cookie } = await openInstallPage(installedBot);
  const redirectUrl = await installedBot.workspace.as('Ana').consent(authorizeUrl);
  expect((await followRedirect(redirectUrl, cookie)).status).toBe(200);
  const installationsBefore = await database.db.selectFrom('installation').selectAll().execute();
  now = new Date(now.getTime() + 5_000);
  const secondPage = await followRedirect(redirectUrl, cookie);
  expect([secondPage.status, secondPage.html]).toEqual([
    400,
    expect.stringContaining('If Upnext answers in Slack, it’s installed.'),
  ]);
  expect(await database.db.selectFrom('installation').selectAll().execute()).toEqual(installationsBefore);
});

test('a state that another browser has tried still works for its own browser', async () => {
  const { authorizeUrl, cookie } = await openInstallPage(installedBot);
  const redirectUrl = await installedBot.workspace.as('Ana').consent(authorizeUrl);
  expect((await followRedirect(redirectUrl, (await openInstallPage(installedBot)).cookie)).status).toBe(400);
  expect((await followRedirect(redirectUrl, cookie)).status).toBe(200);
});

test('two tabs of one browser can both install the app, and each state installs it only once', async () => {
  const first = await openInstallPage(installedBot);
  const second = await openInstallPage(installedBot, first.cookie);
  const [firstUrl, secondUrl] = [
    await installedBot.workspace.as('Ana').consent(first.authorizeUrl),
    await installedBot.workspace.as('Ana').consent(second.authorizeUrl),
  ];
  expect((await followRedirect(secondUrl, second.cookie)).status).toBe(200);
  const responses = await Promise.all(
    Array.from({ length: 20 }, () => followRedirect(firstUrl, first.cookie)),
  );
  expect(responses.filter(({ status }) => status === 200)).toHaveLength(1);
  expect(first.cookie.startsWith(`${COOKIE}=`)).toBe(true);
});

// The last test of this file, because nothing is deleted from the audit log.
test('who installs the app again after its removal reads what was deleted then', async () => {
  const ana = installedBot.workspace.as('Ana');
  await ana.install(installedBot.installUrl);
  const listUninstalls = () =>
    database.db.selectFrom('audit_entry').select('id').where('action', '=', 'uninstalled').execute();
  const uninstallsBefore = await listUninstalls();
  installedBot.workspace.admin.uninstall();
  await expect.poll(listInstallations).toEqual([]);
  await expect.poll(listUninstalls).toHaveLength(uninstallsBefore.length + 1);
  await ana.install(installedBot.installUrl);
  const directMessages = await ana.inDirectMessage();
  await directMessages.sees('Upnext is installed again, and you’re its first Owner.');
  await directMessages.sees(
    'posts that the service didn’t have yet. Those won’t go out. Digests are paused.',
  );
});
