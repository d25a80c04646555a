import { request } from 'node:http';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type BotDatabase, openBotDatabase } from '../support/bot.ts';
import { type InstalledBot, startInstalledBot } from '../support/installed-bot.ts';

const COOKIE = 'upnext-install';
let database: BotDatabase;
let running: InstalledBot;
let now: Date;

beforeAll(async () => {
  database = await openBotDatabase();
});
afterAll(() => database.close());
beforeEach(async () => {
  now = new Date();
  running = await startInstalledBot({ db: database.db, now: () => now });
});
afterEach(async () => {
  await running.close();
  for (const table of [
    'installation',
    'installed_workspace',
    'install_state',
    'credential',
    'done_once',
  ] as const)
    await database.db.deleteFrom(table).execute();
});

/** Opens the install page. Returns the browser's cookie and the address of the redirect. */
async function begin(cookie?: string) {
  const response = await fetch(running.installUrl, {
    redirect: 'manual',
    headers: cookie === undefined ? {} : { cookie },
  });
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
  const response = await fetch(url, {
    redirect: 'manual',
    headers: cookie === undefined ? {} : { cookie },
  });
  return { status: response.status, html: await response.text(), headers: response.headers };
}

const listInstallations = async () =>
  (await database.db.selectFrom('installation').select('id').execute()).map(({ id }) => id);

describe('an installation', () => {
  test('leads to Slack and back, stores the token encrypted, and sends the next steps to whoever installed it', async () => {
    const ana = running.workspace.as('Ana');
    const shown = await ana.install(running.installUrl);
    expect([shown.status, shown.html]).toEqual([
      200,
      expect.stringContaining('Upnext is installed in Harbour Coffee'),
    ]);
    expect(await listInstallations()).toEqual(['T01HARBOUR']);
    const row = await database.db.selectFrom('installation').selectAll().executeTakeFirstOrThrow();
    expect(JSON.stringify(row)).not.toContain(running.workspace.team.botToken);
    expect(row.tokens).toMatch(/^v1:test:/);

    const direct = await ana.inDirectMessage();
    await direct.sees('Upnext is installed, and you are its first owner.');
    await direct.sees('Connect the scheduling service');
    await direct.press('Connect the service');
    await direct.modal('Connect the service');
  });

  test('requests the scopes of the manifest, and redirects to the app’s own address', async () => {
    const { authorizeUrl, setCookie, status } = await begin();
    const url = new URL(authorizeUrl);
    expect([status, url.origin + url.pathname]).toEqual([302, running.workspace.authorizeUrl]);
    expect(Object.fromEntries(url.searchParams)).toEqual({
      client_id: running.workspace.clientId,
      scope: expect.stringContaining('chat:write'),
      redirect_uri: `${running.origin}/slack/oauth_redirect`,
      state: expect.stringMatching(/^[\w-]{43}$/),
    });
    expect(setCookie).toMatch(/^upnext-install=[\w-]{43}; Path=\/; Max-Age=600; HttpOnly; SameSite=Lax$/);
    const states = await database.db.selectFrom('install_state').selectAll().execute();
    expect(JSON.stringify(states)).not.toContain(url.searchParams.get('state'));
  });

  test('its page runs no script, and can be neither framed nor cached', async () => {
    const { headers } = await followRedirect(`${running.origin}/slack/oauth_redirect`, undefined);
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
    const shown = await running.workspace.as('Ana').install(running.installUrl, { cancel: true });
    expect(shown.html).toContain('Nothing was installed');
    expect(await listInstallations()).toEqual([]);
  });

  test.each(['POST', 'PUT', 'DELETE'])('%s is not allowed on the install page', async (method) => {
    expect((await fetch(running.installUrl, { method, redirect: 'manual' })).status).toBe(405);
  });

  test.each([
    ['a length', { 'content-length': '5' }],
    ['no length', { 'transfer-encoding': 'chunked' }],
  ])('a request with a body of %s is refused, and its body is not read', async (_of, headers) => {
    const status = await new Promise((resolve, reject) => {
      request(running.installUrl, { method: 'GET', headers }, (response) => {
        response.resume();
        resolve(response.statusCode);
      })
        .once('error', reject)
        .end('hello');
    });
    expect(status).toBe(405);
    expect(await database.db.selectFrom('install_state').selectAll().execute()).toEqual([]);
  });
});

/** Opens the install page several times, for the addresses that a proxy forwards. Returns the statuses. */
async function visits(count: number, forwarded?: string): Promise<number[]> {
  const headers = forwarded === undefined ? {} : { 'x-forwarded-for': forwarded };
  const all = Array.from({ length: count }, () => fetch(running.installUrl, { redirect: 'manual', headers }));
  return (await Promise.all(all)).map(({ status }) => status);
}

const states = () => database.db.selectFrom('install_state').selectAll().execute();
const times = (statuses: readonly number[], status: number) =>
  statuses.filter((one) => one === status).length;

describe('one visitor cannot block the installation for others', () => {
  test('one address begins at most 120 installations in a minute, and stores no more rows', async () => {
    expect(times(await visits(130), 302)).toBe(120);
    const late = await fetch(running.installUrl, { redirect: 'manual' });
    expect([late.status, late.headers.get('retry-after')]).toEqual([429, '60']);
    expect(await late.text()).toContain('Please try again in a minute.');
    expect(await states()).toHaveLength(120);
  });

  test('another visitor behind the same proxy can install', async () => {
    await running.close();
    running = await startInstalledBot({ db: database.db, trustedProxies: ['127.0.0.0/8'] });
    expect(times(await visits(130, '192.0.2.1'), 302)).toBe(120);
    expect(times(await visits(130, '2001:db8:1::1'), 302)).toBe(120);
    expect(await visits(1, '2001:db8:1:ffff::2')).toEqual([429]);
    expect(await visits(1, '192.0.2.2')).toEqual([302]);
    expect(await visits(1, '2001:db8:2::1')).toEqual([302]);
  });

  test('a visitor without a trusted proxy cannot pretend to be several visitors', async () => {
    const statuses = (
      await Promise.all(Array.from({ length: 130 }, (_, index) => visits(1, `192.0.2.${index}`)))
    ).flat();
    expect(times(statuses, 302)).toBe(120);
  });

  test('an approved installation completes while others send forged states', async () => {
    const { authorizeUrl, cookie } = await begin();
    const to = await running.workspace.as('Ana').consent(authorizeUrl);
    const forged = `${running.origin}/slack/oauth_redirect?code=x&state=${'A'.repeat(43)}`;
    const backs = await Promise.all(Array.from({ length: 300 }, () => followRedirect(forged, cookie)));
    expect(
      times(
        backs.map(({ status }) => status),
        400,
      ),
    ).toBe(300);
    expect((await followRedirect(to, cookie)).status).toBe(200);
  });

  test('a forged state never reaches the database', async () => {
    const mine = await begin();
    const theirs = await begin();
    await sql`alter table install_state rename to install_state_away`.execute(database.db);
    try {
      const stateOf = (url: string) => new URL(url).searchParams.get('state') ?? '';
      const at = (state: string) => `${running.origin}/slack/oauth_redirect?code=x&state=${state}`;
      for (const [state, cookie] of [
        ['A'.repeat(43), mine.cookie],
        [stateOf(theirs.authorizeUrl), mine.cookie],
        [stateOf(mine.authorizeUrl), undefined],
      ] as const)
        expect((await followRedirect(at(state), cookie)).status).toBe(400);
      // Control: with the right state and cookie, the database is queried.
      expect((await followRedirect(at(stateOf(mine.authorizeUrl)), mine.cookie)).status).toBe(500);
    } finally {
      await sql`alter table install_state_away rename to install_state`.execute(database.db);
    }
  });

  test('a valid state reaches the database at most 20 times in a minute', async () => {
    const { authorizeUrl, cookie } = await begin();
    const to = await running.workspace.as('Ana').consent(authorizeUrl);
    const backs = [];
    for (let visit = 0; visit < 25; visit += 1) backs.push((await followRedirect(to, cookie)).status);
    expect([times(backs, 200), times(backs, 400), times(backs, 429)]).toEqual([1, 19, 5]);
  });
});

describe('nothing is installed with', () => {
  const ana = () => running.workspace.as('Ana');
  afterEach(async () => expect(await listInstallations()).toEqual([]));

  test('a state without its cookie', async () => {
    const { authorizeUrl } = await begin();
    const back = await followRedirect(await ana().consent(authorizeUrl), undefined);
    expect([back.status, back.html]).toEqual([400, expect.stringContaining('Nothing was installed')]);
  });

  test('a state of another browser', async () => {
    const [mine, theirs] = [await begin(), await begin()];
    const toMine = await ana().consent(mine.authorizeUrl);
    const toTheirs = await ana().consent(theirs.authorizeUrl);
    expect((await followRedirect(toMine, theirs.cookie)).status).toBe(400);
    expect((await followRedirect(toTheirs, mine.cookie)).status).toBe(400);
  });

  test('a state that is older than ten minutes', async () => {
    const { authorizeUrl, cookie } = await begin();
    const to = await ana().consent(authorizeUrl);
    now = new Date(now.getTime() + 10 * 60 * 1000);
    expect((await followRedirect(to, cookie)).status).toBe(400);
  });

  test.each([
    ['invented', 'A'.repeat(43)],
    ['of another shape', '../../etc/passwd'],
    ['empty', ''],
  ])('a state that is %s', async (_, state) => {
    const { authorizeUrl, cookie } = await begin();
    const to = new URL(await ana().consent(authorizeUrl));
    to.searchParams.set('state', state);
    expect((await followRedirect(to.href, cookie)).status).toBe(400);
  });

  test('no state at all', async () => {
    const { authorizeUrl, cookie } = await begin();
    const to = new URL(await ana().consent(authorizeUrl));
    to.searchParams.delete('state');
    expect((await followRedirect(to.href, cookie)).status).toBe(400);
  });

  test('an unknown code, or a used one', async () => {
    const { authorizeUrl, cookie } = await begin();
    const to = new URL(await ana().consent(authorizeUrl));
    to.searchParams.set('code', 'invented');
    const back = await followRedirect(to.href, cookie);
    expect([back.status, back.html]).toEqual([502, expect.stringContaining('Slack did not confirm')]);
  });
});

test('a state works once: the second redirect installs nothing', async () => {
  const { authorizeUrl, cookie } = await begin();
  const to = await running.workspace.as('Ana').consent(authorizeUrl);
  expect((await followRedirect(to, cookie)).status).toBe(200);
  const before = await database.db.selectFrom('installation').selectAll().execute();
  now = new Date(now.getTime() + 5_000);
  expect((await followRedirect(to, cookie)).status).toBe(400);
  expect(await database.db.selectFrom('installation').selectAll().execute()).toEqual(before);
});

test('a state that another browser has tried still works for its own browser', async () => {
  const { authorizeUrl, cookie } = await begin();
  const to = await running.workspace.as('Ana').consent(authorizeUrl);
  expect((await followRedirect(to, (await begin()).cookie)).status).toBe(400);
  expect((await followRedirect(to, cookie)).status).toBe(200);
});

test('two tabs of one browser can both install, and twenty redirects with one state install once', async () => {
  const first = await begin();
  const second = await begin(first.cookie);
  const [one, two] = [
    await running.workspace.as('Ana').consent(first.authorizeUrl),
    await running.workspace.as('Ana').consent(second.authorizeUrl),
  ];
  expect((await followRedirect(two, second.cookie)).status).toBe(200);
  const all = await Promise.all(Array.from({ length: 20 }, () => followRedirect(one, first.cookie)));
  expect(all.filter(({ status }) => status === 200)).toHaveLength(1);
  expect(first.cookie.startsWith(`${COOKIE}=`)).toBe(true);
});
