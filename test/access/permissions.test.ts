import { WebAPIPlatformError, WebAPIRateLimitedError, type WebClient } from '@slack/web-api';
import { beforeEach, describe, expect, test } from 'vitest';
import { createAccess, type FirstOwners } from '../../src/access/access.ts';
import { saveGrant } from '../../src/access/sql/grants.ts';
import { setUpBotDatabase } from '../support/set-up-database.ts';

const ACTOR = { workspace: 'T1', user: 'U1' };
const NOW = new Date('2026-11-20T12:00:00Z');
const member = { id: 'U1', team_id: 'T1' };
const database = await setUpBotDatabase();
beforeEach(async () => {
  await database.db.deleteFrom('access_grant').execute();
});

/** Creates access control with these responses of Slack. The person defaults to a full member. */
function createTestAccess(
  slack: { person?: (id: string) => unknown; group?: () => unknown; list?: () => unknown },
  owners: FirstOwners = { kind: 'installer', findInstaller: async () => undefined },
  lookup?: 'unknown' | 'not installed' | 'database down',
) {
  const { person = () => member, group = () => [], list = () => [] } = slack;
  const client = {
    users: {
      info: async ({ user }: { user: string }) => ({ user: person(user) }),
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
      if (lookup === 'database down') throw new Error('no connection');
      if (lookup === 'not installed') return undefined;
      return lookup ?? client;
    },
  });
}

const grantRole = (subjectKind: 'person' | 'group', subject: string, role = 'publisher') =>
  saveGrant(database.db, {
    workspace: 'T1',
    subjectKind,
    subject,
    project: '',
    role,
    reason: 'given',
    grantedBy: 'U9',
    grantedAt: NOW,
  });
const failWithRateLimit = () => {
  throw new WebAPIRateLimitedError(30);
};
const failWithError = (error: string) => () => {
  throw new WebAPIPlatformError({ ok: false, error });
};

describe('the permission of a person', () => {
  test('a person’s permission is yes with the role, and no without it', async () => {
    const access = createTestAccess({});
    expect(await access.recheckPermission(ACTOR, 'publisher', 'p1')).toBe('no');
    await grantRole('person', 'U1');
    access.onGrantsChanged('T1');
    expect(await access.recheckPermission(ACTOR, 'publisher', 'p1')).toBe('yes');
  });

  test('a permission is unknown while Slack cannot look the person up, and no if they are a guest', async () => {
    await grantRole('person', 'U1');
    expect(
      await createTestAccess({ person: failWithRateLimit }).recheckPermission(ACTOR, 'publisher', 'p1'),
    ).toBe('unknown');
    const guest = createTestAccess({ person: () => ({ ...member, is_restricted: true }) });
    expect(await guest.recheckPermission(ACTOR, 'publisher', 'p1')).toBe('no');
  });

  test('a person unknown to Slack has no permission', async () => {
    await grantRole('person', 'U1');
    const access = createTestAccess({ person: failWithError('user_not_found') });
    expect(await access.recheckPermission(ACTOR, 'publisher', 'p1')).toBe('no');
  });

  test('a permission is unknown while the user group with the role cannot be read, unless the person has the role too', async () => {
    await grantRole('group', 'S1');
    expect(
      await createTestAccess({ group: failWithRateLimit }).recheckPermission(ACTOR, 'publisher', 'p1'),
    ).toBe('unknown');
    expect(await createTestAccess({ group: () => ['U1'] }).recheckPermission(ACTOR, 'publisher', 'p1')).toBe(
      'yes',
    );
    await grantRole('person', 'U1');
    expect(
      await createTestAccess({ group: failWithRateLimit }).recheckPermission(ACTOR, 'publisher', 'p1'),
    ).toBe('yes');
  });

  test('a person’s permission is unknown while the people of the practice workspace cannot be listed', async () => {
    const emulatorOwners = { kind: 'emulator' } as const;
    expect(
      await createTestAccess({ list: failWithRateLimit }, emulatorOwners).recheckPermission(
        ACTOR,
        'viewer',
        undefined,
      ),
    ).toBe('unknown');
    const access = createTestAccess({ list: () => [{ id: 'U1' }] }, emulatorOwners);
    expect(await access.recheckPermission(ACTOR, 'owner', undefined)).toBe('yes');
  });

  test.each(['unknown', 'not installed', 'database down'] as const)(
    'a person’s permission is unknown if the app cannot ask Slack: %s',
    async (lookup) => {
      expect(
        await createTestAccess({}, undefined, lookup).recheckPermission(ACTOR, 'viewer', undefined),
      ).toBe('unknown');
    },
  );
});

test('the owners of a workspace are unknown, and not an empty list, if the lookup fails', async () => {
  const slack = { kind: 'slack' } as const;
  expect(await createTestAccess({ list: failWithRateLimit }, slack).listOwners('T1')).toBe('unknown');
  expect(await createTestAccess({}, slack, 'unknown').listOwners('T1')).toBe('unknown');
  expect(
    await createTestAccess({ list: () => [{ id: 'U5', is_owner: true }] }, slack).listOwners('T1'),
  ).toEqual(['U5']);
});

test('deactivated owners don’t take the places of those who can be reached', async () => {
  for (let number = 10; number < 25; number += 1) await grantRole('person', `U${number}`, 'owner');
  const access = createTestAccess({ person: (id) => ({ ...member, id, deleted: id < 'U20' }) });
  expect(await access.listOwners('T1')).toEqual(['U20', 'U21', 'U22', 'U23', 'U24']);
  const unknown = createTestAccess({ person: failWithRateLimit });
  expect(await unknown.listOwners('T1')).toHaveLength(10);
});

describe('the people who have a role', () => {
  const owners = { kind: 'slack' } as const;
  test('people with the role or a higher one are listed, of grants, groups and the workspace’s owners', async () => {
    await grantRole('person', 'U2');
    await grantRole('group', 'S1');
    const access = createTestAccess(
      { group: () => ['U3', 'U2'], list: () => [{ id: 'U5', is_owner: true }] },
      owners,
    );
    expect(await access.listRoleHolders('T1', 'contributor', 'p1')).toEqual({
      people: ['U2', 'U3', 'U5'],
      isComplete: true,
    });
    expect((await access.listRoleHolders('T1', 'manager', 'p1')).people).toEqual(['U5']);
  });

  test('the list is incomplete if a group can’t be read', async () => {
    await grantRole('group', 'S1');
    const access = createTestAccess({ group: failWithRateLimit }, owners);
    expect(await access.listRoleHolders('T1', 'publisher', 'p1')).toEqual({ people: [], isComplete: false });
  });
});
