import type { WebClient } from '@slack/web-api';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Workspace } from '../../../src/emulators/slack/start-workspace.ts';
import { refusal, startTestWorkspace } from '../../support/workspace.ts';

let workspace: Workspace;
let client: WebClient;
beforeEach(async () => {
  ({ workspace, client } = await startTestWorkspace());
});
afterEach(() => workspace.close());

const FLAGS = [
  'is_primary_owner',
  'is_owner',
  'is_admin',
  'is_restricted',
  'is_ultra_restricted',
  'is_bot',
  'deleted',
];

/** The flags that are set, and the team. */
async function flags(user: string): Promise<string> {
  const found = (await client.users.info({ user })).user ?? {};
  const set = FLAGS.filter((flag) => (found as Record<string, unknown>)[flag] === true);
  return [...set, found.team_id].join(' ');
}

describe('a person of every kind has the flags of it', () => {
  it.each([
    ['the primary owner', 'U01ANAFERR', 'is_primary_owner is_owner is_admin T01HARBOUR'],
    ['a member', 'U02BENOKAF', 'T01HARBOUR'],
    ['an admin', 'U03MIRAVOS', 'is_admin T01HARBOUR'],
    ['a guest', 'U04TOMSATO', 'is_restricted T01HARBOUR'],
    ['somebody of another workspace', 'U05PRIYANA', 'T02ROASTER'],
    ['one whose account was ended', 'U06LENAHOF', 'deleted T01HARBOUR'],
    ['the app', 'U09UPNEXTB', 'is_bot T01HARBOUR'],
  ])('%s', async (_, user, expected) => {
    expect(await flags(user)).toBe(expected);
  });

  it('another owner, a guest of one channel, another bot', async () => {
    const owner = workspace.admin.addPerson({ name: 'Olga Berg', role: 'owner' });
    const guest = workspace.admin.addPerson({ name: 'Gus Lind', role: 'single-channel-guest' });
    const bot = workspace.admin.addPerson({ name: 'Weather', isBot: true });
    expect(await flags(owner)).toBe('is_owner is_admin T01HARBOUR');
    expect(await flags(guest)).toBe('is_restricted is_ultra_restricted T01HARBOUR');
    expect(await flags(bot)).toBe('is_bot T01HARBOUR');
    expect((await client.users.list({})).members?.map(({ id }) => id)).toContain(guest);
    await expect(workspace.as('Gus').in('#general').type('hello')).rejects.toThrow('channel_not_found');
  });
});

describe('user groups', () => {
  it('are listed with what was asked for; a disabled one only where that was', async () => {
    const id = workspace.admin.addGroup('@editors', ['Ana', 'Mira'], { name: 'Editors' });
    workspace.admin.addGroup('old-team', ['Ben'], { disabled: true });
    const { usergroups } = await client.usergroups.list();
    expect(usergroups).toMatchObject([
      { id, handle: 'editors', name: 'Editors', team_id: 'T01HARBOUR', date_delete: 0 },
    ]);
    expect(usergroups?.[0]).not.toHaveProperty('users');
    expect(usergroups?.[0]).not.toHaveProperty('user_count');
    const all = await client.usergroups.list({
      include_disabled: true,
      include_users: true,
      include_count: true,
    });
    expect(all.usergroups).toMatchObject([
      { handle: 'editors', users: ['U01ANAFERR', 'U03MIRAVOS'], user_count: '2' },
      { handle: 'old-team', users: ['U02BENOKAF'], user_count: '1' },
    ]);
    expect(all.usergroups?.[1]?.date_delete).toBeGreaterThan(0);
  });

  it('name their people; one that is disabled or was never there is no such group', async () => {
    const usergroup = workspace.admin.addGroup('editors', ['Ana']);
    const users = async (more = {}) => (await client.usergroups.users.list({ usergroup, ...more })).users;
    expect(await users()).toEqual(['U01ANAFERR']);
    workspace.admin.changeGroup('@editors', { members: ['Ben', 'Mira'] });
    expect(await users()).toEqual(['U02BENOKAF', 'U03MIRAVOS']);
    workspace.admin.changeGroup('editors', { disabled: true });
    expect((await refusal(users())).error).toBe('no_such_subteam');
    expect(await users({ include_disabled: true })).toEqual(['U02BENOKAF', 'U03MIRAVOS']);
    expect((await refusal(client.usergroups.users.list({ usergroup: 'S0NOTHERE' }))).error).toBe(
      'no_such_subteam',
    );
  });
});

describe('the workspace', () => {
  it('says what it is called, and nothing of others: team.info', async () => {
    expect((await client.team.info()).team).toMatchObject({
      id: 'T01HARBOUR',
      name: 'Harbour Coffee',
      domain: 'harbour-coffee',
    });
    expect((await client.team.info({ team: 'T01HARBOUR' })).team?.id).toBe('T01HARBOUR');
    const { id } = workspace.admin.addTeam({ name: 'Night Market Books', people: [{ name: 'Rosa Lima' }] });
    expect((await refusal(client.team.info({ team: id }))).error).toBe('team_not_found');
  });

  it('says what those are called that a channel is shared with', async () => {
    const { id } = workspace.admin.addTeam({ name: 'Night Market Books', people: [{ name: 'Rosa Lima' }] });
    workspace.admin.share('#harbour-coffee', id);
    expect((await client.team.info({ team: id })).team).toMatchObject({ id, name: 'Night Market Books' });
    workspace.admin.unshare('#harbour-coffee', id);
    expect((await refusal(client.team.info({ team: id }))).error).toBe('team_not_found');
  });

  it('has emoji of its own: emoji.list', async () => {
    expect((await client.emoji.list()).emoji).toEqual({});
    workspace.admin.addEmoji('harbour', `${workspace.url}/page/icon.svg`);
    workspace.admin.addEmoji(':cup:', 'alias:harbour');
    expect((await client.emoji.list()).emoji).toEqual({
      harbour: `${workspace.url}/page/icon.svg`,
      cup: 'alias:harbour',
    });
  });

  it('says of a channel how it is shared', async () => {
    const shared = async () => {
      const { channel = {} } = await client.conversations.info({ channel: 'C02HARBOUR' });
      return [channel.is_shared, channel.is_ext_shared, channel.is_pending_ext_shared, channel.is_org_shared];
    };
    expect(await shared()).toEqual([false, false, false, false]);
    workspace.admin.offerShare('#harbour-coffee');
    expect(await shared()).toEqual([false, false, true, false]);
    workspace.admin.share('#harbour-coffee', 'T02ROASTER');
    expect(await shared()).toEqual([true, true, false, false]);
    const { channel } = await client.conversations.info({ channel: 'C02HARBOUR' });
    expect(channel?.shared_team_ids).toEqual(['T01HARBOUR', 'T02ROASTER']);
    workspace.admin.unshare('#harbour-coffee', 'T02ROASTER');
    expect(await shared()).toEqual([false, false, false, false]);
    const id = workspace.admin.addChannel('#all-teams', { orgShared: true, members: ['Ana', 'tester'] });
    expect((await client.conversations.info({ channel: id })).channel).toMatchObject({
      is_shared: true,
      is_ext_shared: false,
      is_org_shared: true,
    });
  });
});
