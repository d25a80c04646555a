import { request } from 'node:http';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type BotDatabase, openBotDatabase } from '../support/bot.ts';
import { type InstalledBot, startInstalledBot } from '../support/installed-bot.ts';

const COOKIE = 'upnext-install';
const TABLES = ['installation', 'installed_workspace', 'install_state', 'credential', 'once_claim'] as const;
let database: BotDatabase;
let installedBot: InstalledBot;
let now: Date;

beforeAll(async () => {
  database = await openBotDatabase();
});
afterAll(() => database.close());
beforeEach(async () => {
  now = new Date();
  installedBot = await startInstalledBot({ db: database.db, now: () => now });
});
afterEach(async () => {
  await installedBot.close();
  for (const table of TABLES) await database.db.deleteFrom(table).execute();
});

const fetchPage = (url: string, cookie: string | undefined) =>
  fetch(url, { redirect: 'manual', headers: cookie === undefined ? {} : { cookie } });

/** Opens the install page. Returns the browser's cookie and the address of the redirect. */
async function openInstallPage(cookie?: string) {
  const response = await fetchPage(installedBot.installUrl, cookie);
  const setCookie = response.headers.get('set-cookie') ?? '';
  return {
    status: response.status,
    setCookie,
    cookie: setCookie.split(';')[0] ?? '',
    authorizeUrl: response.headers.get('location') ?? '',
  };
}

/** Follows Slack's redirect with this cookie. */
async function followRedirect(url: string, cookie: string | undefined) {
  const response = await fetchPage(url, cookie);
  return { status: response.status, html: await response.text(), headers: response.headers };
}

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
    await directMessages.type('thanks');
    await directMessages.sees('You’re welcome!');
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
    await ana.type('/upnext status');
    await ana.sees('without usergroups:read.');
    expect(ana.read()).not.toContain('without emoji:read');
  });

  test('an installation requests the manifest’s scopes, and redirects to the app’s public address', async () => {
    const { authorizeUrl, setCookie, status } = await openInstallPage();
    const url = new URL(authorizeUrl);
    expect([status, url.origin + url.pathname]).toEqual([302, installedBot.workspace.authorizeUrl]);
    expect(Object.fromEntries(url.searchParams)).toEqual({
      client_id: installedBot.workspace.clientId,
      scope: expect.stringContaining('chat:write'),
      redirect_uri: `${installedBot.origin}/slack/oauth_redirect`,
      state: expect.stringMatching(/^[\w-]{43}$/),
    });
    expect(setCookie).toMatch(/^upnext-install=[\w-]{43}; Path=\/; Max-Age=600; HttpOnly; SameSite=Lax$/);
    const states = await database.db.selectFrom('install_state').selectAll().execute();
    expect(JSON.stringify(states)).not.toContain(url.searchParams.get('state'));
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
      expect(await database.db.selectFrom('install_state').selectAll().execute()).toEqual([]);
    },
  );
});

/** Opens the install page several times, for the address that a proxy forwards. Returns the statuses. */
async function visitInstallPage(count: number, forwarded?: string): Promise<number[]> {
  const headers = forwarded === undefined ? {} : { 'x-forwarded-for': forwarded };
  const responses = Array.from({ length: count }, () =>
    fetch(installedBot.installUrl, { redirect: 'manual', headers }),
  );
  return (await Promise.all(responses)).map(({ status }) => status);
}

const listStates = () => database.db.selectFrom('install_state').selectAll().execute();
const countStatus = (statuses: readonly number[], status: number) =>
  statuses.filter((each) => each === status).length;

describe('one visitor cannot block the installation for others', () => {
  test('one address can begin at most 120 installations in a minute, and no more rows are stored', async () => {
    expect(countStatus(await visitInstallPage(130), 302)).toBe(120);
    const lateResponse = await fetch(installedBot.installUrl, { redirect: 'manual' });
    expect([lateResponse.status, lateResponse.headers.get('retry-after')]).toEqual([429, '60']);
    expect(await lateResponse.text()).toContain('Try again in a minute.');
    expect(await listStates()).toHaveLength(120);
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
    const { authorizeUrl, cookie } = await openInstallPage();
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

  test('a forged state never reaches the database', async () => {
    const ownVisit = await openInstallPage();
    const otherVisit = await openInstallPage();
    await sql`alter table install_state rename to install_state_away`.execute(database.db);
    try {
      const getState = (url: string) => new URL(url).searchParams.get('state') ?? '';
      const buildRedirectUrl = (state: string) =>
        `${installedBot.origin}/slack/oauth_redirect?code=x&state=${state}`;
      for (const [state, cookie] of [
        ['A'.repeat(43), ownVisit.cookie],
        [getState(otherVisit.authorizeUrl), ownVisit.cookie],
        [getState(ownVisit.authorizeUrl), undefined],
      ] as const)
        expect((await followRedirect(buildRedirectUrl(state), cookie)).status).toBe(400);
      // Control: with the right state and cookie, the database is queried.
      expect(
        (await followRedirect(buildRedirectUrl(getState(ownVisit.authorizeUrl)), ownVisit.cookie)).status,
      ).toBe(500);
    } finally {
      await sql`alter table install_state_away rename to install_state`.execute(database.db);
    }
  });

  test('a valid state reaches the database at most 20 times in a minute', async () => {
    const { authorizeUrl, cookie } = await openInstallPage();
    const redirectUrl = await installedBot.workspace.as('Ana').consent(authorizeUrl);
    const responses = [];
    for (let visit = 0; visit < 25; visit += 1)
      responses.push((await followRedirect(redirectUrl, cookie)).status);
    expect([countStatus(responses, 200), countStatus(responses, 400), countStatus(responses, 429)]).toEqual([
      1, 19, 5,
    ]);
  });
});

describe('an installation with an invalid state or code', () => {
  const actAsAna = () => installedBot.workspace.as('Ana');
  afterEach(async () => expect(await listInstallations()).toEqual([]));

  test('nothing is installed with a state without its cookie', async () => {
    const { authorizeUrl } = await openInstallPage();
    const response = await followRedirect(await actAsAna().consent(authorizeUrl), undefined);
    expect([response.status, response.html]).toEqual([400, expect.stringContaining('Nothing was installed')]);
  });

  test('nothing is installed with a state of another browser', async () => {
    const [ownVisit, otherVisit] = [await openInstallPage(), await openInstallPage()];
    const ownRedirectUrl = await actAsAna().consent(ownVisit.authorizeUrl);
    const otherRedirectUrl = await actAsAna().consent(otherVisit.authorizeUrl);
    expect((await followRedirect(ownRedirectUrl, otherVisit.cookie)).status).toBe(400);
    expect((await followRedirect(otherRedirectUrl, ownVisit.cookie)).status).toBe(400);
  });

  test('nothing is installed with a state that is older than ten minutes', async () => {
    const { authorizeUrl, cookie } = await openInstallPage();
    const redirectUrl = await actAsAna().consent(authorizeUrl);
    now = new Date(now.getTime() + 10 * 60 * 1000);
    expect((await followRedirect(redirectUrl, cookie)).status).toBe(400);
  });

  test.each([
    ['invented', 'A'.repeat(43)],
    ['in another format', '../../etc/passwd'],
    ['empty', ''],
  ])('nothing is installed with a state that is %s', async (_, state) => {
    const { authorizeUrl, cookie } = await openInstallPage();
    const redirectUrl = new URL(await actAsAna().consent(authorizeUrl));
    redirectUrl.searchParams.set('state', state);
    expect((await followRedirect(redirectUrl.href, cookie)).status).toBe(400);
  });

  test('nothing is installed without a state', async () => {
    const { authorizeUrl, cookie } = await openInstallPage();
    const redirectUrl = new URL(await actAsAna().consent(authorizeUrl));
    redirectUrl.searchParams.delete('state');
    expect((await followRedirect(redirectUrl.href, cookie)).status).toBe(400);
  });

  test('nothing is installed with an unknown code', async () => {
    const { authorizeUrl, cookie } = await openInstallPage();
    const redirectUrl = new URL(await actAsAna().consent(authorizeUrl));
    redirectUrl.searchParams.set('code', 'invented');
    const response = await followRedirect(redirectUrl.href, cookie);
    expect([response.status, response.html]).toEqual([502, expect.stringContaining('Slack didn’t confirm')]);
  });
});

test('a state works only once, and a second redirect installs nothing', async () => {
  const { authorizeUrl, cookie } = await openInstallPage();
  const redirectUrl = await installedBot.workspace.as('Ana').consent(authorizeUrl);
  expect((await followRedirect(redirectUrl, cookie)).status).toBe(200);
  const installationsBefore = await database.db.selectFrom('installation').selectAll().execute();
  now = new Date(now.getTime() + 5_000);
  expect((await followRedirect(redirectUrl, cookie)).status).toBe(400);
  expect(await database.db.selectFrom('installation').selectAll().execute()).toEqual(installationsBefore);
});

test('a state that another browser has tried still works for its own browser', async () => {
  const { authorizeUrl, cookie } = await openInstallPage();
  const redirectUrl = await installedBot.workspace.as('Ana').consent(authorizeUrl);
  expect((await followRedirect(redirectUrl, (await openInstallPage()).cookie)).status).toBe(400);
  expect((await followRedirect(redirectUrl, cookie)).status).toBe(200);
});

test('two tabs of one browser can both install the app, and each state installs it only once', async () => {
  const first = await openInstallPage();
  const second = await openInstallPage(first.cookie);
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
