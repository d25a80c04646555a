import { request } from 'node:http';
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

/** A browser goes to the first page, and no further: its cookie, and where it is sent. */
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

/** Comes back from Slack with this cookie. */
async function comeBack(url: string, cookie: string | undefined) {
  const response = await fetch(url, {
    redirect: 'manual',
    headers: cookie === undefined ? {} : { cookie },
  });
  return { status: response.status, html: await response.text(), headers: response.headers };
}

const installed = async () =>
  (await database.db.selectFrom('installation').select('id').execute()).map(({ id }) => id);

describe('an installation', () => {
  test('leads to Slack and back, keeps the token sealed, and tells who installed it what comes next', async () => {
    const ana = running.workspace.as('Ana');
    const shown = await ana.install(running.installUrl);
    expect([shown.status, shown.html]).toEqual([
      200,
      expect.stringContaining('Upnext is installed in Harbour Coffee'),
    ]);
    expect(await installed()).toEqual(['T01HARBOUR']);
    const row = await database.db.selectFrom('installation').selectAll().executeTakeFirstOrThrow();
    expect(JSON.stringify(row)).not.toContain(running.workspace.team.botToken);
    expect(row.tokens).toMatch(/^v1:test:/);

    const direct = await ana.inDirectMessage();
    await direct.sees('Upnext is installed, and you are its first owner.');
    await direct.sees('Connect the scheduling service');
    await direct.press('Connect the service');
    await direct.modal('Connect the service');
  });

  test('asks for the rights of the manifest, and comes back to our own address', async () => {
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

  test('nothing of its page runs, and nobody frames or keeps it', async () => {
    const { headers } = await comeBack(`${running.origin}/slack/oauth_redirect`, undefined);
    expect(Object.fromEntries(headers)).toMatchObject({
      'content-security-policy': expect.stringMatching(
        /^default-src 'none'; style-src 'nonce-[^']+'; .*frame-ancestors 'none'$/,
      ),
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'cache-control': 'no-store',
    });
  });

  test('who says no at Slack is told that nothing was installed', async () => {
    const shown = await running.workspace.as('Ana').install(running.installUrl, { cancel: true });
    expect(shown.html).toContain('Nothing was installed');
    expect(await installed()).toEqual([]);
  });

  test.each(['POST', 'PUT', 'DELETE'])('%s is no way to install', async (method) => {
    expect((await fetch(running.installUrl, { method, redirect: 'manual' })).status).toBe(405);
  });

  test.each([
    ['a length', { 'content-length': '5' }],
    ['no length', { 'transfer-encoding': 'chunked' }],
  ])('a body of %s is not read, and begins nothing', async (_of, headers) => {
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

  test('one address begins no more than 120 in a minute, and leaves no more rows', async () => {
    const all = await Promise.all(Array.from({ length: 130 }, () => begin()));
    expect(all.filter(({ status }) => status === 302)).toHaveLength(120);
    const late = await fetch(running.installUrl, { redirect: 'manual' });
    expect([late.status, late.headers.get('retry-after')]).toEqual([429, '60']);
    expect(await late.text()).toContain('Please try again in a minute.');
    expect(await database.db.selectFrom('install_state').selectAll().execute()).toHaveLength(120);
    // Whoever is on the way back from Slack is not shut out by that; nor may they come for ever.
    const back = () => comeBack(`${running.origin}/slack/oauth_redirect?state=x`, undefined);
    expect((await back()).status).toBe(400);
    const backs = await Promise.all(Array.from({ length: 130 }, back));
    expect(backs.filter(({ status }) => status === 429)).toHaveLength(11);
  });
});

describe('0 installations come of', () => {
  const ana = () => running.workspace.as('Ana');
  afterEach(async () => expect(await installed()).toEqual([]));

  test('a state without its cookie', async () => {
    const { authorizeUrl } = await begin();
    const back = await comeBack(await ana().consent(authorizeUrl), undefined);
    expect([back.status, back.html]).toEqual([400, expect.stringContaining('Nothing was installed')]);
  });

  test('a state that was swapped for another browser’s', async () => {
    const [mine, theirs] = [await begin(), await begin()];
    const toMine = await ana().consent(mine.authorizeUrl);
    const toTheirs = await ana().consent(theirs.authorizeUrl);
    expect((await comeBack(toMine, theirs.cookie)).status).toBe(400);
    expect((await comeBack(toTheirs, mine.cookie)).status).toBe(400);
    // And it is used up: its own browser has nothing of it any more.
    expect((await comeBack(toMine, mine.cookie)).status).toBe(400);
  });

  test('a state that is older than ten minutes', async () => {
    const { authorizeUrl, cookie } = await begin();
    const to = await ana().consent(authorizeUrl);
    now = new Date(now.getTime() + 10 * 60 * 1000);
    expect((await comeBack(to, cookie)).status).toBe(400);
  });

  test.each([
    ['invented', 'A'.repeat(43)],
    ['of another shape', '../../etc/passwd'],
    ['empty', ''],
  ])('a state that is %s', async (_, state) => {
    const { authorizeUrl, cookie } = await begin();
    const to = new URL(await ana().consent(authorizeUrl));
    to.searchParams.set('state', state);
    expect((await comeBack(to.href, cookie)).status).toBe(400);
  });

  test('no state at all', async () => {
    const { authorizeUrl, cookie } = await begin();
    const to = new URL(await ana().consent(authorizeUrl));
    to.searchParams.delete('state');
    expect((await comeBack(to.href, cookie)).status).toBe(400);
  });

  test('a code that Slack does not know, and one that was used', async () => {
    const { authorizeUrl, cookie } = await begin();
    const to = new URL(await ana().consent(authorizeUrl));
    to.searchParams.set('code', 'invented');
    const back = await comeBack(to.href, cookie);
    expect([back.status, back.html]).toEqual([502, expect.stringContaining('Slack did not confirm')]);
  });
});

test('a state works once: the second way back installs nothing anew', async () => {
  const { authorizeUrl, cookie } = await begin();
  const to = await running.workspace.as('Ana').consent(authorizeUrl);
  expect((await comeBack(to, cookie)).status).toBe(200);
  const before = await database.db.selectFrom('installation').selectAll().execute();
  now = new Date(now.getTime() + 5_000);
  expect((await comeBack(to, cookie)).status).toBe(400);
  expect(await database.db.selectFrom('installation').selectAll().execute()).toEqual(before);
});

test('two tabs of one browser can both go on, twenty at once with one state install once', async () => {
  const first = await begin();
  const second = await begin(first.cookie);
  const [one, two] = [
    await running.workspace.as('Ana').consent(first.authorizeUrl),
    await running.workspace.as('Ana').consent(second.authorizeUrl),
  ];
  expect((await comeBack(two, second.cookie)).status).toBe(200);
  const all = await Promise.all(Array.from({ length: 20 }, () => comeBack(one, first.cookie)));
  expect(all.filter(({ status }) => status === 200)).toHaveLength(1);
  expect(first.cookie.startsWith(`${COOKIE}=`)).toBe(true);
});

test('tokens that rotate are renewed, and no refresh token is used twice however many requests come at once', async () => {
  await running.close();
  running = await startInstalledBot({ db: database.db, now: () => now, rotation: true });
  const ana = running.workspace.as('Ana').in('#general');
  await ana.install(running.installUrl);
  now = new Date(now.getTime() + 13 * 60 * 60 * 1000);
  const before = await database.db.selectFrom('installation').select('tokens').executeTakeFirstOrThrow();
  await Promise.all(Array.from({ length: 10 }, () => ana.type('/upnext help')));
  await ana.sees('What there is');
  const after = await database.db.selectFrom('installation').select('tokens').executeTakeFirstOrThrow();
  expect(after.tokens).not.toBe(before.tokens);
  expect(running.logged.filter((line) => line.includes('invalid_refresh_token'))).toEqual([]);
  expect(running.logged.join()).not.toMatch(/xox[a-z]/);
});

test('where Slack gives no next token, people are told to install it anew, and the log holds none', async () => {
  await running.close();
  running = await startInstalledBot({ db: database.db, now: () => now, rotation: true });
  const ana = running.workspace.as('Ana').in('#general');
  await ana.install(running.installUrl);
  running.workspace.admin.revokeToken();
  await expect.poll(installed).toEqual([]);
  await ana.install(running.installUrl);
  // What is kept is older than what Slack has: as after a backup was put back.
  const row = await database.db.selectFrom('installation').selectAll().executeTakeFirstOrThrow();
  now = new Date(now.getTime() + 13 * 60 * 60 * 1000);
  await ana.type('/upnext help');
  await ana.sees('What there is');
  await database.db
    .updateTable('installation')
    .set({ tokens: row.tokens, expires_at: row.expires_at })
    .execute();
  now = new Date(now.getTime() + 13 * 60 * 60 * 1000);
  await ana.type('/upnext help');
  await ana.sees('Upnext is not installed in this workspace.');
  expect(running.logged.join()).toContain('an installation cannot be used');
  expect(running.logged.join()).not.toMatch(/xox[a-z]/);
});
