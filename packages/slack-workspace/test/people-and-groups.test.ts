import type { WebClient } from '@slack/web-api';
import { beforeEach, describe, expect, it } from 'vitest';
import { drawAvatar } from '../src/state/avatar.ts';
import { readPictureSize } from '../src/state/files.ts';
import { listWords } from '../src/words.ts';
import type { Workspace } from '../src/workspace.ts';
import { expectError, openWorkspace } from './support/fixtures.ts';
import { createSlackClient } from './support/workspace.ts';

let workspace: Workspace;
let client: WebClient;
beforeEach(async () => {
  ({ workspace, client } = await openWorkspace());
});

const FLAGS = listWords(
  'is_primary_owner is_owner is_admin is_restricted is_ultra_restricted is_bot deleted',
);

/** The names of the person's set flags, and the id of the person's team. */
async function listFlags(user: string): Promise<string> {
  const person = (await client.users.info({ user })).user ?? {};
  const setFlags = FLAGS.filter((flag) => (person as Record<string, unknown>)[flag] === true);
  return [...setFlags, person.team_id].join(' ');
}

describe('every kind of person has the matching flags', () => {
  it.each([
    ['the primary owner', 'U01ANAFERR', 'is_primary_owner is_owner is_admin T01HARBOUR'],
    ['a member', 'U02BENOKAF', 'T01HARBOUR'],
    ['an admin', 'U03MIRAVOS', 'is_admin T01HARBOUR'],
    ['a guest', 'U04TOMSATO', 'is_restricted T01HARBOUR'],
    ['a person from another workspace', 'U05PRIYANA', 'T02ROASTER'],
    ['a deactivated person', 'U06LENAHOF', 'deleted T01HARBOUR'],
    ['the app', 'U09UPNEXTB', 'is_bot T01HARBOUR'],
  ])('%s', async (_, user, expected) => {
    expect(await listFlags(user)).toBe(expected);
  });

  it('another owner, a guest of one channel and another bot have the matching flags', async () => {
    const owner = workspace.admin.addPerson({ name: 'Olga Berg', role: 'owner' });
    const guest = workspace.admin.addPerson({ name: 'Gus Lind', role: 'single-channel-guest' });
    const bot = workspace.admin.addPerson({ name: 'Weather', isBot: true });
    expect(await listFlags(owner)).toBe('is_owner is_admin T01HARBOUR');
    expect(await listFlags(guest)).toBe('is_restricted is_ultra_restricted T01HARBOUR');
    expect(await listFlags(bot)).toBe('is_bot T01HARBOUR');
    expect((await client.users.list({})).members?.map(({ id }) => id)).toContain(guest);
    expect(() => workspace.as('Gus').in('#general')).toThrow("Gus Lind doesn't see #general");
  });
});

it('an undefined option of a new person means its default', async () => {
  const options: object = { role: undefined, tz: undefined, locale: undefined, isBot: undefined };
  const zoe = workspace.admin.addPerson({ name: 'Zoe Lind', ...options });
  expect(await listFlags(zoe)).toBe('T01HARBOUR');
  expect((await client.users.info({ user: zoe })).user?.tz).toBe('Europe/Berlin');
  const people = [{ name: 'Rosa Lima', ...options }, { name: 'Yara Dom' }];
  const books = workspace.admin.addTeam({ name: 'Books', people, installed: true });
  const { members } = await createSlackClient(workspace, books.botToken).users.list({});
  expect(members?.map(({ is_owner }) => is_owner === true).slice(0, 2)).toEqual([true, false]);
});

describe('a person’s profile', () => {
  it('users.lookupByEmail finds people who are still here by their address', async () => {
    const { user } = await client.users.lookupByEmail({ email: 'Ana@example.com' });
    expect(user).toMatchObject({ id: 'U01ANAFERR', profile: { email: 'ana@example.com' } });
    await expectError(client.users.lookupByEmail({ email: 'lena@example.com' }), 'users_not_found');
  });

  it('users.profile.get returns the profile of a person, or of the app', async () => {
    const { profile } = await client.users.profile.get({ user: 'U02BENOKAF' });
    expect(profile).toMatchObject({ real_name: 'Ben Okafor', email: 'ben@example.com', fields: {} });
    expect((await client.users.profile.get({})).profile).toMatchObject({ real_name: 'tester' });
  });
});

describe('user groups', () => {
  it('groups are listed with the requested details, and disabled groups only on request', async () => {
    const id = workspace.admin.addGroup('@editors', ['Ana', 'Mira'], { name: 'Editors' });
    workspace.admin.addGroup('old-team', ['Ben'], { disabled: true });
    const { usergroups } = await client.usergroups.list();
    expect(usergroups).toMatchObject([
      { id, handle: 'editors', name: 'Editors', team_id: 'T01HARBOUR', date_delete: 0 },
    ]);
    expect(usergroups?.[0]).not.toHaveProperty('users');
    expect(usergroups?.[0]).not.toHaveProperty('user_count');
    const all = { include_disabled: true, include_users: true, include_count: true };
    const allGroups = await client.usergroups.list(all);
    expect(allGroups.usergroups).toMatchObject([
      { handle: 'editors', users: ['U01ANAFERR', 'U03MIRAVOS'], user_count: '2' },
      { handle: 'old-team', users: ['U02BENOKAF'], user_count: '1' },
    ]);
    expect(allGroups.usergroups?.[1]?.date_delete).toBeGreaterThan(0);
  });

  it('the members of a group are listed; a disabled group is refused', async () => {
    const usergroup = workspace.admin.addGroup('editors', ['Ana']);
    const listUsers = async (options = {}) =>
      (await client.usergroups.users.list({ usergroup, ...options })).users;
    expect(await listUsers()).toEqual(['U01ANAFERR']);
    workspace.admin.changeGroup('@editors', { members: ['Ben', 'Mira'] });
    expect(await listUsers()).toEqual(['U02BENOKAF', 'U03MIRAVOS']);
    workspace.admin.changeGroup('editors', { disabled: true });
    await expectError(listUsers(), 'no_such_subteam');
    expect(await listUsers({ include_disabled: true })).toEqual(['U02BENOKAF', 'U03MIRAVOS']);
  });
});

describe('the workspace', () => {
  it('team.info returns the name of the workspace, and nothing about unconnected workspaces', async () => {
    expect((await client.team.info()).team).toMatchObject({
      id: 'T01HARBOUR',
      name: 'Harbour Coffee',
      domain: 'harbour-coffee',
    });
    expect((await client.team.info({ team: 'T01HARBOUR' })).team?.id).toBe('T01HARBOUR');
    const { id } = workspace.admin.addTeam({ name: 'Night Market Books', people: [{ name: 'Rosa Lima' }] });
    await expectError(client.team.info({ team: id }), 'team_not_found');
  });

  it('team.info returns the name of a workspace that shares a channel', async () => {
    const { id } = workspace.admin.addTeam({ name: 'Night Market Books', people: [{ name: 'Rosa Lima' }] });
    workspace.admin.share('#harbour-coffee', id);
    expect((await client.team.info({ team: id })).team).toMatchObject({ id, name: 'Night Market Books' });
    workspace.admin.unshare('#harbour-coffee', id);
    await expectError(client.team.info({ team: id }), 'team_not_found');
  });

  it('emoji.list returns the workspace’s own emoji', async () => {
    expect((await client.emoji.list()).emoji).toEqual({});
    const [category] = (await client.emoji.list({ include_categories: true })).categories ?? [];
    expect(category?.emoji_names).toContain('wave');
    workspace.admin.addEmoji('harbour', `${workspace.url}/page/icon.svg`);
    workspace.admin.addEmoji(':cup:', 'alias:harbour');
    expect((await client.emoji.list()).emoji).toEqual({
      harbour: `${workspace.url}/page/icon.svg`,
      cup: 'alias:harbour',
    });
  });

  it('a channel has flags that show how it is shared', async () => {
    const readSharedFlags = async () => {
      const { channel = {} } = await client.conversations.info({ channel: 'C02HARBOUR' });
      return [channel.is_shared, channel.is_ext_shared, channel.is_pending_ext_shared, channel.is_org_shared];
    };
    expect(await readSharedFlags()).toEqual([false, false, false, false]);
    workspace.admin.offerShare('#harbour-coffee');
    expect(await readSharedFlags()).toEqual([false, false, true, false]);
    workspace.admin.share('#harbour-coffee', 'T02ROASTER');
    expect(await readSharedFlags()).toEqual([true, true, false, false]);
    const { channel } = await client.conversations.info({ channel: 'C02HARBOUR' });
    expect(channel?.shared_team_ids).toEqual(['T01HARBOUR', 'T02ROASTER']);
    workspace.admin.unshare('#harbour-coffee', 'T02ROASTER');
    expect(await readSharedFlags()).toEqual([false, false, false, false]);
    const id = workspace.admin.addChannel('#all-teams', { orgShared: true, members: ['Ana', 'tester'] });
    expect((await client.conversations.info({ channel: id })).channel).toMatchObject({
      is_shared: true,
      is_ext_shared: false,
      is_org_shared: true,
    });
  });
});

it('a profile has pictures of six sizes, which everybody can load', async () => {
  const { user } = await client.users.info({ user: 'U01ANAFERR' });
  const profile = user?.profile as Record<string, string>;
  for (const size of [24, 32, 48, 72, 192, 512]) {
    const response = await fetch(profile[`image_${size}`] ?? '');
    expect(response.headers.get('content-type')).toBe('image/png');
    expect(readPictureSize(Buffer.from(await response.arrayBuffer()))).toEqual({ width: size, height: size });
  }
  expect(profile).toMatchObject({
    avatar_hash: expect.stringMatching(/^g[0-9a-f]{11}$/),
    phone: '+351 555 0101',
  });
  expect(profile).not.toHaveProperty('is_custom_image');
});

it('pictures of other people and sizes differ, and unknown ones are not found', async () => {
  const draw = (id: string) => drawAvatar({ id, color: '#102030' }, 24);
  expect(draw('U1').equals(draw('U2'))).toBe(false);
  for (const name of ['U0NOBODY-24', 'U01ANAFERR-25', 'U01ANAFERR-x']) {
    expect((await fetch(`${workspace.url}/avatars/${name}.png`)).status).toBe(404);
  }
});

it('the app has the same icons in its messages and in bots.info', async () => {
  const { message } = await client.chat.postMessage({ channel: 'C01GENERAL', text: 'Hello' });
  const icons = message?.bot_profile?.icons ?? {};
  expect(Object.keys(icons)).toEqual(['image_36', 'image_48', 'image_72']);
  expect((await client.bots.info()).bot?.icons).toEqual(icons);
  for (const address of Object.values(icons)) expect((await fetch(String(address))).status).toBe(200);
});

it('a person may have an address, a phone and a title of their own', async () => {
  const about = { email: 'kim@harbour.example', phone: '+44 555 0102', title: 'Roaster' };
  const user = workspace.admin.addPerson({ name: 'Kim Park', ...about });
  expect((await client.users.info({ user })).user?.profile).toMatchObject(about);
  expect((await client.users.lookupByEmail({ email: 'Kim@harbour.example' })).user?.id).toBe(user);
});
