import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createEncryption } from '../../src/access/access.ts';
import { createInstallations, type Installations } from '../../src/workspaces/installations.ts';
import type { Tokens } from '../../src/workspaces/refresh-tokens.ts';
import { type BotDatabase, openBotDatabase } from '../support/bot.ts';

const HOUR = 60 * 60 * 1000;
const FROM = { workspace: 'T1', organisation: undefined, isOrgWide: false };
const encryption = createEncryption([{ id: 'test', key: randomBytes(32) }]);
let database: BotDatabase;
let at: Date;
let usedTokens: string[];
let unusable: unknown[];
/** Slack's answer to the next refresh. */
let answer: () => Promise<Tokens | 'refused'>;

beforeAll(async () => {
  database = await openBotDatabase();
});
afterAll(() => database.close());

/** One instance of several. */
function instance(): Installations {
  return createInstallations({
    db: database.db,
    encryption,
    now: () => at,
    refresh(token) {
      usedTokens.push(token);
      return answer();
    },
    onUnusable: (facts) => unusable.push(facts),
  });
}

beforeEach(async () => {
  at = new Date('2026-11-20T12:00:00Z');
  usedTokens = [];
  unusable = [];
  answer = async () => ({ bot: 'second', refresh: 'r2', expiresAt: new Date(at.getTime() + 12 * HOUR) });
  const installation = {
    id: 'T1',
    name: 'Harbour Coffee',
    botUser: 'U1',
    installedBy: 'U2',
    installedAt: at,
  };
  await instance().save(installation, {
    bot: 'first',
    refresh: 'r1',
    expiresAt: new Date(at.getTime() + 12 * HOUR),
  });
});

const tokenOf = (found: Awaited<ReturnType<Installations['find']>>) =>
  found === 'unknown' ? found : found?.token;
const tokensOf = (found: Awaited<ReturnType<Installations['find']>>[]) => new Set(found.map(tokenOf));

describe('tokens that rotate', () => {
  test('are used while they are valid', async () => {
    expect(tokenOf(await instance().find(FROM))).toBe('first');
    expect(usedTokens).toEqual([]);
  });

  test('after they expired, fifty callers in five instances refresh once', async () => {
    at = new Date(at.getTime() + 13 * HOUR);
    const instances = Array.from({ length: 5 }, instance);
    const found = await Promise.all(
      Array.from({ length: 50 }, async (_, index) => {
        const one = instances[index % 5];
        return await (index % 2 === 0 ? one?.find(FROM) : one?.findForWorkspace('T1'));
      }),
    );
    expect(tokensOf(found)).toEqual(new Set(['second']));
    expect(usedTokens).toEqual(['r1']);
  });

  test('shortly before they expire one caller refreshes, and nobody waits', async () => {
    at = new Date(at.getTime() + 10.1 * HOUR);
    const found = await Promise.all([instance().find(FROM), instance().find(FROM)]);
    expect(usedTokens).toEqual(['r1']);
    for (const token of tokensOf(found)) expect(['first', 'second']).toContain(token);
    expect(tokenOf(await instance().find(FROM))).toBe('second');
  });

  test('that Slack does not refresh just now are used until they expire', async () => {
    answer = () => Promise.reject(new Error('Slack is not reached'));
    at = new Date(at.getTime() + 11.9 * HOUR);
    expect(tokenOf(await instance().find(FROM))).toBe('first');
    expect(unusable).toEqual([]);
  });

  test('that have expired and that Slack refuses to refresh count as not installed', async () => {
    answer = async () => 'refused';
    at = new Date(at.getTime() + 13 * HOUR);
    expect(await instance().find(FROM)).toBeUndefined();
    expect(unusable).toEqual([
      { table: 'installation', id: 'T1', isRefreshRefused: true, err: expect.any(Error) },
    ]);
  });

  test('that have expired while Slack fails count as unknown, and are used once Slack refreshes them', async () => {
    const one = instance();
    const renewed = answer;
    answer = () => Promise.reject(new Error('internal_error'));
    at = new Date(at.getTime() + 13 * HOUR);
    expect(await one.findForWorkspace('T1')).toBe('unknown');
    expect(unusable).toEqual([
      { table: 'installation', id: 'T1', isRefreshRefused: false, err: expect.any(Error) },
    ]);
    answer = renewed;
    expect(tokenOf(await one.findForWorkspace('T1'))).toBe('second');
  });

  test('that could not be stored are not lost, because Slack gives them only once', async () => {
    const one = instance();
    const renewed = answer;
    answer = async () => {
      await sql`alter table installation rename to installation_away`.execute(database.db);
      return renewed();
    };
    at = new Date(at.getTime() + 13 * HOUR);
    expect(await one.findForWorkspace('T1')).toBe('unknown');
    await sql`alter table installation_away rename to installation`.execute(database.db);
    at = new Date(at.getTime() + 60_000);
    expect(tokenOf(await one.findForWorkspace('T1'))).toBe('second');
    expect(usedTokens).toEqual(['r1']);
  });

  test('an instance that died during a refresh delays the others only briefly', async () => {
    at = new Date(at.getTime() + 13 * HOUR);
    const until = new Date(at.getTime() + 25_000);
    await database.db.updateTable('installation').set({ refreshing_until: until }).execute();
    const waiting = instance().find(FROM);
    at = new Date(at.getTime() + 26_000);
    expect(tokenOf(await waiting)).toBe('second');
    expect(usedTokens).toEqual(['r1']);
  });
});

test('an installation with a missing key is reported by table and id, and counts as unknown', async () => {
  const other = createInstallations({
    db: database.db,
    encryption: createEncryption([{ id: 'another', key: randomBytes(32) }]),
    now: () => at,
    refresh: () => Promise.reject(new Error('nobody asks')),
    onUnusable: (facts) => unusable.push(facts),
  });
  expect(await other.find(FROM)).toBe('unknown');
  const err = expect.objectContaining({ keyId: 'test', isKeyMissing: true });
  expect(unusable).toEqual([{ table: 'installation', id: 'T1', isRefreshRefused: false, err }]);
});
