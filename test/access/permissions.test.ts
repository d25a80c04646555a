import { WebAPIPlatformError, WebAPIRateLimitedError, type WebClient } from '@slack/web-api';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createAccess, type FirstOwners } from '../../src/access/create-access.ts';
import { saveGrant } from '../../src/access/sql/grants.ts';
import { type BotDatabase, openBotDatabase } from '../support/bot.ts';

const WHO = { workspace: 'T1', user: 'U1' };
const NOW = new Date('2026-11-20T12:00:00Z');
const member = { id: 'U1', team_id: 'T1' };
let database: BotDatabase;
beforeAll(async () => {
  database = await openBotDatabase();
});
beforeEach(async () => {
  await database.db.deleteFrom('access_grant').execute();
});
afterAll(() => database.close());

/** Access control with these answers of Slack. By default the person is a full member. */
function accessWith(
  slack: { person?: () => unknown; group?: () => unknown; list?: () => unknown },
  owners: FirstOwners = { kind: 'installer', findInstaller: async () => undefined },
  found?: 'unknown' | 'not installed' | 'database down',
) {
  const { person = () => member, group = () => [], list = () => [] } = slack;
  const client = {
    users: {
      info: async () => ({ user: person() }),
      list: async () => ({ members: list() }),
    },
    usergroups: { users: { list: async () => ({ users: group() }) } },
  } as unknown as WebClient;
  return createAccess({
    db: database.db,
    owners,
    now: () => NOW,
    onError: () => undefined,
    async findSlackClient() {
      if (found === 'database down') throw new Error('no connection');
      if (found === 'not installed') return undefined;
      return found ?? client;
    },
  });
}

const give = (subjectKind: 'person' | 'group', subject: string) =>
  saveGrant(database.db, {
    ...{ workspace: 'T1', subjectKind, subject, project: '', role: 'publisher', reason: 'given' },
    ...{ grantedBy: 'U9', grantedAt: NOW },
  });
const busy = () => {
  throw new WebAPIRateLimitedError(30);
};
const slackSays = (error: string) => () => {
  throw new WebAPIPlatformError({ ok: false, error });
};

describe('the permission of a person', () => {
  test('is yes with a role, and no without one', async () => {
    const access = accessWith({});
    expect(await access.recheckPermission(WHO, 'publisher', 'p1')).toBe('no');
    await give('person', 'U1');
    access.onGrantsChanged('T1');
    expect(await access.recheckPermission(WHO, 'publisher', 'p1')).toBe('yes');
  });

  test('is unknown while the lookup of the person fails, and no once Slack says they are a guest', async () => {
    await give('person', 'U1');
    expect(await accessWith({ person: busy }).recheckPermission(WHO, 'publisher', 'p1')).toBe('unknown');
    const guest = accessWith({ person: () => ({ ...member, is_restricted: true }) });
    expect(await guest.recheckPermission(WHO, 'publisher', 'p1')).toBe('no');
  });

  test('is no for a person unknown to Slack', async () => {
    await give('person', 'U1');
    const access = accessWith({ person: slackSays('user_not_found') });
    expect(await access.recheckPermission(WHO, 'publisher', 'p1')).toBe('no');
  });

  test('is unknown while a user group with the role cannot be read, unless the person has the role anyway', async () => {
    await give('group', 'S1');
    expect(await accessWith({ group: busy }).recheckPermission(WHO, 'publisher', 'p1')).toBe('unknown');
    expect(await accessWith({ group: () => ['U1'] }).recheckPermission(WHO, 'publisher', 'p1')).toBe('yes');
    await give('person', 'U1');
    expect(await accessWith({ group: busy }).recheckPermission(WHO, 'publisher', 'p1')).toBe('yes');
  });

  test('is unknown while the people of the practice workspace cannot be listed', async () => {
    const practice = { kind: 'emulator' } as const;
    expect(await accessWith({ list: busy }, practice).recheckPermission(WHO, 'viewer', undefined)).toBe(
      'unknown',
    );
    const listed = accessWith({ list: () => [{ id: 'U1' }] }, practice);
    expect(await listed.recheckPermission(WHO, 'owner', undefined)).toBe('yes');
  });

  test.each(['unknown', 'not installed', 'database down'] as const)(
    'is unknown if the app cannot ask Slack: %s',
    async (found) => {
      expect(await accessWith({}, undefined, found).recheckPermission(WHO, 'viewer', undefined)).toBe(
        'unknown',
      );
    },
  );
});

describe('the owners of a workspace', () => {
  test('are unknown, and not an empty list, if the lookup failed', async () => {
    const slack = { kind: 'slack' } as const;
    expect(await accessWith({ list: busy }, slack).listOwners('T1')).toBe('unknown');
    expect(await accessWith({}, slack, 'unknown').listOwners('T1')).toBe('unknown');
    expect(await accessWith({ list: () => [{ id: 'U5', is_owner: true }] }, slack).listOwners('T1')).toEqual([
      'U5',
    ]);
  });
});
