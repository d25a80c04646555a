import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import { beforeEach, describe, expect, test } from 'vitest';
import { createEncryption } from '../../src/access/access.ts';
import { endDeliveries } from '../../src/app/capabilities.ts';
import { createInstallations, type Installations } from '../../src/workspaces/installations.ts';
import type { Tokens } from '../../src/workspaces/refresh-tokens.ts';
import { setUpBotDatabase } from '../support/set-up-database.ts';

const HOUR_MS = 60 * 60 * 1000;
const QUERY = { workspace: 'T1', organisation: undefined, isOrgWide: false };
const encryption = createEncryption([{ id: 'test', key: randomBytes(32) }]);
const database = await setUpBotDatabase();
let now: Date;
let usedTokens: string[];
let reportedInstallations: unknown[];
/** Slack's response to the next refresh. */
let respond: () => Promise<Tokens | 'refused'>;

/** Creates one of several instances with the same database. */
function createInstance(): Installations {
  return createInstallations({
    endDeliveries,
    db: database.db,
    encryption,
    now: () => now,
    refresh(token) {
      usedTokens.push(token);
      return respond();
    },
    onUnusable: (fields) => reportedInstallations.push(fields),
  });
}

const install = (instance: Installations, tokens: Tokens) =>
  instance.save(
    { id: 'T1', name: 'Harbour Coffee', botUser: 'U1', installedBy: 'U2', installedAt: now },
    tokens,
  );

beforeEach(async () => {
  now = new Date('2026-11-20T12:00:00Z');
  usedTokens = [];
  reportedInstallations = [];
  respond = async () => ({ bot: 'second', refresh: 'r2', expiresAt: new Date(now.getTime() + 12 * HOUR_MS) });
  await install(createInstance(), {
    bot: 'first',
    refresh: 'r1',
    expiresAt: new Date(now.getTime() + 12 * HOUR_MS),
  });
});

const getToken = (lookupResults: Awaited<ReturnType<Installations['find']>>) =>
  lookupResults === 'unknown' ? lookupResults : lookupResults?.token;
const getTokens = (lookupResults: Awaited<ReturnType<Installations['find']>>[]) =>
  new Set(lookupResults.map(getToken));

describe('tokens that rotate', () => {
  test('after a token has expired, fifty callers in five instances refresh it once', async () => {
    now = new Date(now.getTime() + 13 * HOUR_MS);
    const instances = Array.from({ length: 5 }, createInstance);
    const lookupResults = await Promise.all(
      Array.from({ length: 50 }, async (_, index) => {
        const instance = instances[index % 5];
        return await (index % 2 === 0 ? instance?.find(QUERY) : instance?.findForWorkspace('T1'));
      }),
    );
    expect(getTokens(lookupResults)).toEqual(new Set(['second']));
    expect(usedTokens).toEqual(['r1']);
  });

  test('an installation whose token expires while Slack fails is unknown until the token is refreshed', async () => {
    const instance = createInstance();
    const respondWithToken = respond;
    respond = () => Promise.reject(new Error('internal_error'));
    now = new Date(now.getTime() + 13 * HOUR_MS);
    expect(await instance.findForWorkspace('T1')).toBe('unknown');
    expect(reportedInstallations).toEqual([
      { table: 'installation', id: 'T1', isRefreshRefused: false, err: expect.any(Error) },
    ]);
    respond = respondWithToken;
    expect(getToken(await instance.findForWorkspace('T1'))).toBe('second');
  });

  test('a refused refresh token is reported once, and again after another installation', async () => {
    const instance = createInstance();
    const refused = { table: 'installation', id: 'T1', isRefreshRefused: true, err: expect.any(Error) };
    respond = async () => 'refused';
    now = new Date(now.getTime() + 13 * HOUR_MS);
    for (const _ of [1, 2]) expect(await instance.findForWorkspace('T1')).toBeUndefined();
    expect(reportedInstallations).toEqual([refused]);
    await install(instance, { bot: 'third', refresh: 'r3', expiresAt: now });
    expect(await instance.findForWorkspace('T1')).toBeUndefined();
    expect(reportedInstallations).toEqual([refused, refused]);
  });

  test('refreshed tokens that could not be stored are not lost, because Slack returns them only once', async () => {
    const instance = createInstance();
    const respondWithToken = respond;
    respond = async () => {
      await sql`alter table installation rename to installation_away`.execute(database.db);
      return respondWithToken();
    };
    now = new Date(now.getTime() + 13 * HOUR_MS);
    expect(await instance.findForWorkspace('T1')).toBe('unknown');
    await sql`alter table installation_away rename to installation`.execute(database.db);
    now = new Date(now.getTime() + 60_000);
    expect(getToken(await instance.findForWorkspace('T1'))).toBe('second');
    expect(usedTokens).toEqual(['r1']);
  });

  test('while a token is still valid, nobody waits for the instance that refreshes it', async () => {
    now = new Date(now.getTime() + 10.1 * HOUR_MS);
    const { promise, resolve } = Promise.withResolvers<Tokens>();
    respond = () => promise;
    const refreshing = createInstance().find(QUERY);
    await expect.poll(() => usedTokens).toEqual(['r1']);
    expect(getToken(await createInstance().find(QUERY))).toBe('first');
    resolve({ bot: 'second' });
    expect(getToken(await refreshing)).toBe('second');
  });

  test('an instance that ends during a refresh delays the others only briefly', async () => {
    now = new Date(now.getTime() + 13 * HOUR_MS);
    const leaseEnd = new Date(now.getTime() + 25_000);
    await database.db.updateTable('installation').set({ refreshing_until: leaseEnd }).execute();
    const lookup = createInstance().find(QUERY);
    now = new Date(now.getTime() + 26_000);
    expect(getToken(await lookup)).toBe('second');
    expect(usedTokens).toEqual(['r1']);
  });
});

test('an installation with a missing key is reported by table and id, and counts as unknown', async () => {
  const instanceWithoutKey = createInstallations({
    endDeliveries,
    db: database.db,
    encryption: createEncryption([{ id: 'another', key: randomBytes(32) }]),
    now: () => now,
    refresh: () => Promise.reject(new Error('nobody asks')),
    onUnusable: (fields) => reportedInstallations.push(fields),
  });
  expect(await instanceWithoutKey.find(QUERY)).toBe('unknown');
  const err = expect.objectContaining({ keyId: 'test', isKeyMissing: true });
  expect(reportedInstallations).toEqual([{ table: 'installation', id: 'T1', isRefreshRefused: false, err }]);
});
