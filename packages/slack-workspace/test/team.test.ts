import type { WebClient } from '@slack/web-api';
import { beforeEach, describe, expect, it } from 'vitest';
import type { Workspace } from '../src/workspace.ts';
import { expectError, openWorkspace } from './support/fixtures.ts';
import { TEST_MANIFEST, withScopes } from './support/workspace.ts';
import { openLivePage } from './support/workspace-page.ts';

const HARBOUR = 'C02HARBOUR';
const RANDOM = 'C04RANDOM0';
const SHARED = 'C05ROASTER';
const ARCHIVED = 'C06SUMMER0';
const PRIYA = 'U05PRIYANA';
const LENA = 'U06LENAHOF';
const GROUP = 'U01ANAFERR,U02BENOKAF';

let workspace: Workspace;
let client: WebClient;
beforeEach(async () => {
  ({ workspace, client } = await openWorkspace());
});

const readUser = async (id: string) => (await client.users.info({ user: id, include_locale: true })).user;
const readChannel = async (id: string) => (await client.conversations.info({ channel: id })).channel;
const sendMessage = (to: string) => client.chat.postMessage({ channel: to, text: 'x' });

async function readSnapshot(person: string): Promise<Record<string, unknown[]>> {
  const page = await openLivePage(workspace, `?person=${person}`);
  const snapshot = await page.receiveMessage();
  page.close();
  return snapshot as Record<string, unknown[]>;
}

describe('a person', () => {
  it('a deactivated person has few details, is in no channel and reads no messages', async () => {
    const lena = await readUser(LENA);
    expect(lena).toMatchObject({ deleted: true, name: 'lena' });
    expect(lena?.tz).toBeUndefined();
    // Slack accepts a message to them, but opens no conversation.
    expect((await sendMessage(LENA)).ok).toBe(true);
    await expectError(client.conversations.open({ users: LENA }), 'user_disabled');
    expect(() => workspace.as('Lena')).toThrow('deactivated');
    workspace.admin.deactivate('Ben');
    expect(await readUser('U02BENOKAF')).toMatchObject({ deleted: true });
    expect((await client.conversations.members({ channel: HARBOUR })).members).not.toContain('U02BENOKAF');
    const ephemeral = client.chat.postEphemeral({ channel: HARBOUR, user: 'U02BENOKAF', text: 'x' });
    await expectError(ephemeral, 'user_not_in_channel');
  });

  it('a person from another workspace has its id, and is a stranger without a shared channel', async () => {
    expect(await readUser(PRIYA)).toMatchObject({ team_id: 'T02ROASTER', is_stranger: false });
    workspace.admin.remove('#roastery-north', 'tester');
    expect(await readUser(PRIYA)).toMatchObject({ is_stranger: true });
  });

  it('a person from another workspace sees only the shared channel, and cannot use the app’s commands', async () => {
    const snapshot = await readSnapshot('priya');
    expect(snapshot.channels).toMatchObject([{ name: 'roastery-north', shared: true }]);
    expect([snapshot.commands, snapshot.shortcuts]).toEqual([[], []]);
    await workspace.as('Priya').in('#roastery-north').type('/say hello');
    await workspace.as('Priya').sees('/say is not a valid command');
    expect((await readSnapshot('ana')).commands).not.toEqual([]);
  });

  it('a guest sees only their own channels', async () => {
    const tom = workspace.as('Tom').in('#random');
    workspace.admin.remove('#random', 'Tom');
    const names = (await readSnapshot('tom')).channels?.map((entry) => (entry as { name: string }).name);
    expect(names).toEqual(['general', 'harbour-coffee', 'night-market-books']);
    await expect(tom.type('hello')).rejects.toThrow('channel_not_found');
    expect(() => tom.in('#random')).toThrow("Tom Sato doesn't see #random");
  });
});

describe('a channel', () => {
  it('an archived channel can be read, and accepts no new messages', async () => {
    expect(await readChannel(ARCHIVED)).toMatchObject({ is_archived: true, is_member: false });
    await expectError(sendMessage(ARCHIVED), 'is_archived');
    expect((await client.conversations.history({ channel: ARCHIVED })).messages).toHaveLength(1);
    await expect(workspace.as('Ana').in('#summer-pop-up').type('hello')).rejects.toThrow('is_archived');
    const { ts = '' } = await sendMessage(HARBOUR);
    workspace.admin.archive('#harbour-coffee');
    const update = client.chat.update({ channel: HARBOUR, ts, text: 'y' });
    await expectError(update, 'is_inactive');
    workspace.admin.unarchive('#harbour-coffee');
    await client.chat.update({ channel: HARBOUR, ts, text: 'y' });
  });

  it('archived channels can be excluded from the list', async () => {
    const listNames = async (options: object) =>
      (await client.conversations.list(options)).channels?.map(({ name }) => name);
    expect(await listNames({})).toContain('summer-pop-up');
    expect(await listNames({ exclude_archived: true })).not.toContain('summer-pop-up');
  });

  it('a shared channel names the other workspaces', async () => {
    expect(await readChannel(SHARED)).toMatchObject({
      is_ext_shared: true,
      is_shared: true,
      shared_team_ids: ['T01HARBOUR', 'T02ROASTER'],
      connected_team_ids: ['T02ROASTER'],
    });
    const { messages } = await client.conversations.history({ channel: SHARED });
    expect(messages?.[0]).toMatchObject({ user: PRIYA, team: 'T02ROASTER', user_team: 'T02ROASTER' });
    expect(await readChannel(HARBOUR)).toMatchObject({ is_ext_shared: false });
  });

  it('a private channel does not exist for the app until somebody invites the app', async () => {
    workspace.admin.addChannel('#owners', { private: true, members: ['Ana', 'Mira'] });
    const listPrivateChannels = async () =>
      (await client.conversations.list({ types: 'private_channel' })).channels ?? [];
    expect(await listPrivateChannels()).toEqual([]);
    await expectError(sendMessage('#owners'), 'channel_not_found');
    await workspace.as('Ana').in('#owners').type('/invite @tester');
    const [owners] = await listPrivateChannels();
    expect(owners).toMatchObject({ name: 'owners', is_private: true, is_member: true });
    await sendMessage(owners?.id ?? '');
    const join = client.conversations.join({ channel: owners?.id ?? '' });
    await expectError(join, 'method_not_supported_for_channel_type');
  });

  it('the app can join a public channel, and a second attempt is harmless', async () => {
    await expectError(sendMessage(RANDOM), 'not_in_channel');
    expect((await client.conversations.join({ channel: RANDOM })).channel?.is_member).toBe(true);
    await workspace.as('Ben').in('#random').sees('has joined the channel');
    await sendMessage(RANDOM);
    expect(await client.conversations.join({ channel: RANDOM })).toMatchObject({
      warning: 'already_in_channel',
    });
  });

  it('an invited person joins only that channel', async () => {
    const zoe = workspace.admin.addPerson({ name: 'Zoe Lind' });
    workspace.admin.invite('#general', 'Zoe');
    const listMembers = async (channel: string) =>
      (await client.conversations.members({ channel })).members ?? [];
    expect(await listMembers('C01GENERAL')).toContain(zoe);
    expect(await listMembers(HARBOUR)).not.toContain(zoe);
  });

  it('people can invite, remove and archive with the same commands as in Slack', async () => {
    const ben = workspace.as('Ben').in('#random');
    await ben.type('/invite @nobody');
    await ben.sees('Nobody of that name is in this workspace');
    await ben.type('/invite @tester');
    await ben.sees('tester has joined the channel');
    await sendMessage(RANDOM);
    await ben.type('/invite @tester');
    await ben.sees('@tester is already in #random');
    await ben.type('/remove @tester');
    await ben.sees('tester has left the channel');
    await expectError(sendMessage(RANDOM), 'not_in_channel');
    await ben.type('/archive');
    await expectError(sendMessage(RANDOM), 'is_archived');
  });
});

describe('a group direct message', () => {
  it('conversations.open with several people opens one group direct message with them', async () => {
    const { channel } = await client.conversations.open({ users: GROUP, return_im: true });
    expect(channel).toMatchObject({
      name: 'mpdm-ana--ben--tester-1',
      is_mpim: true,
      is_private: true,
      is_channel: true,
      is_im: false,
    });
    const again = await client.conversations.open({ users: 'U02BENOKAF,U01ANAFERR' });
    expect(again).toMatchObject({ already_open: true, channel: { id: channel?.id } });
    const { members } = await client.conversations.members({ channel: channel?.id ?? '' });
    expect(members).toEqual(['U01ANAFERR', 'U02BENOKAF', 'U09UPNEXTB']);
    const { channels } = await client.conversations.list({ types: 'mpim' });
    expect(channels?.map(({ id }) => id)).toEqual([channel?.id]);
  });

  it('only its people read a group direct message', async () => {
    const { channel } = await client.conversations.open({ users: GROUP });
    const id = channel?.id ?? '';
    await client.chat.postMessage({ channel: id, text: 'For two' });
    await workspace.as('Ben').in(id).sees('For two');
    expect(() => workspace.as('Mira').in(id)).toThrow(`Mira Vos doesn't see ${id}`);
  });

  it('a group direct message can’t be changed like a channel', async () => {
    const { channel } = await client.conversations.open({ users: GROUP });
    const id = channel?.id ?? '';
    const call = client.conversations.invite({ channel: id, users: 'U03MIRAVOS' });
    await expectError(call, 'method_not_supported_for_channel_type');
    await client.conversations.setTopic({ channel: id, topic: 'Lunch' });
  });

  it('opening a group takes its own scope', async () => {
    const bot = TEST_MANIFEST.oauth_config.scopes.bot.filter((scope) => scope !== 'mpim:write');
    const other = await openWorkspace({ manifest: withScopes(...bot) });
    const refused = other.client.conversations.open({ users: GROUP });
    await expectError(refused, 'missing_scope');
  });
});
