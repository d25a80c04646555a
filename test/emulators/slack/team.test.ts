import type { WebClient } from '@slack/web-api';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Workspace } from '../../../src/emulators/slack/start-workspace.ts';
import { refusal, startTestWorkspace } from '../../support/workspace.ts';
import { openLivePage } from '../../support/workspace-page.ts';

const HARBOUR = 'C02HARBOUR';
const RANDOM = 'C04RANDOM0';
const SHARED = 'C05ROASTER';
const CLOSED = 'C06SUMMER0';
const TOM = 'U04TOMSATO';
const PRIYA = 'U05PRIYANA';
const LENA = 'U06LENAHOF';

let workspace: Workspace;
let client: WebClient;
beforeEach(async () => {
  ({ workspace, client } = await startTestWorkspace());
});
afterEach(() => workspace.close());

const user = async (id: string) => (await client.users.info({ user: id, include_locale: true })).user;
const channel = async (id: string) => (await client.conversations.info({ channel: id })).channel;
const post = (to: string) => client.chat.postMessage({ channel: to, text: 'x' });

async function snapshotFor(person: string): Promise<Record<string, unknown[]>> {
  const page = await openLivePage(workspace, `?person=${person}`);
  const snapshot = await page.next();
  page.close();
  return snapshot as Record<string, unknown[]>;
}

describe('a person', () => {
  it('who is an admin or a guest is told apart', async () => {
    expect(await user('U03MIRAVOS')).toMatchObject({ is_admin: true, is_owner: false, is_restricted: false });
    expect(await user(TOM)).toMatchObject({ is_admin: false, is_restricted: true, deleted: false });
  });

  it('whose account was ended is hardly described, in no channel and not written to', async () => {
    const lena = await user(LENA);
    expect(lena).toMatchObject({ deleted: true, name: 'lena' });
    expect(lena?.tz).toBeUndefined();
    expect((await refusal(post(LENA))).error).toBe('channel_not_found');
    expect((await refusal(client.conversations.open({ users: LENA }))).error).toBe('user_disabled');
    expect(() => workspace.as('Lena')).toThrow('deactivated');
    workspace.admin.deactivate('Ben');
    expect(await user('U02BENOKAF')).toMatchObject({ deleted: true });
    expect((await client.conversations.members({ channel: HARBOUR })).members).not.toContain('U02BENOKAF');
    const late = client.chat.postEphemeral({ channel: HARBOUR, user: 'U02BENOKAF', text: 'x' });
    expect((await refusal(late)).error).toBe('user_not_in_channel');
  });

  it('from another workspace is known by it, and a stranger where no channel is shared', async () => {
    expect(await user(PRIYA)).toMatchObject({ team_id: 'T02ROASTER', is_stranger: false });
    workspace.admin.remove('#roastery-north', 'tester');
    expect(await user(PRIYA)).toMatchObject({ is_stranger: true });
  });

  it('from another workspace sees the shared channel alone, and has no commands of the app', async () => {
    const seen = await snapshotFor('priya');
    expect(seen.channels).toMatchObject([{ name: 'roastery-north', shared: true }]);
    expect([seen.commands, seen.shortcuts]).toEqual([[], []]);
    await workspace.as('Priya').in('#roastery-north').type('/say hello');
    await workspace.as('Priya').sees('/say is not a valid command');
    expect((await snapshotFor('ana')).commands).not.toEqual([]);
  });

  it('who is a guest sees only channels that they are in', async () => {
    workspace.admin.remove('#random', 'Tom');
    const names = (await snapshotFor('tom')).channels?.map((entry) => (entry as { name: string }).name);
    expect(names).toEqual(['general', 'harbour-coffee', 'night-market-books']);
    await expect(workspace.as('Tom').in('#random').type('hello')).rejects.toThrow('channel_not_found');
  });
});

describe('a channel', () => {
  it('that is archived can be read, and takes nothing new', async () => {
    expect(await channel(CLOSED)).toMatchObject({ is_archived: true, is_member: false });
    expect((await refusal(post(CLOSED))).error).toBe('is_archived');
    const ephemeral = client.chat.postEphemeral({ channel: CLOSED, user: 'U01ANAFERR', text: 'x' });
    expect((await refusal(ephemeral)).error).toBe('is_archived');
    expect((await refusal(client.conversations.join({ channel: CLOSED }))).error).toBe('is_archived');
    expect((await client.conversations.history({ channel: CLOSED })).messages).toHaveLength(1);
    await expect(workspace.as('Ana').in('#summer-pop-up').type('hello')).rejects.toThrow('is_archived');
    const { ts = '' } = await post(HARBOUR);
    workspace.admin.archive('#harbour-coffee');
    const update = client.chat.update({ channel: HARBOUR, ts, text: 'y' });
    expect((await refusal(update)).error).toBe('is_inactive');
    workspace.admin.unarchive('#harbour-coffee');
    await client.chat.update({ channel: HARBOUR, ts, text: 'y' });
  });

  it('that is archived can be left out of the list', async () => {
    const names = async (more: object) =>
      (await client.conversations.list(more)).channels?.map(({ name }) => name);
    expect(await names({})).toContain('summer-pop-up');
    expect(await names({ exclude_archived: true })).not.toContain('summer-pop-up');
    expect((await refusal(client.conversations.list({ types: 'rooms' }))).error).toBe('invalid_types');
  });

  it('that is shared says with whom', async () => {
    expect(await channel(SHARED)).toMatchObject({
      is_ext_shared: true,
      is_shared: true,
      shared_team_ids: ['T01HARBOUR', 'T02ROASTER'],
      connected_team_ids: ['T02ROASTER'],
    });
    const { messages } = await client.conversations.history({ channel: SHARED });
    expect(messages?.[0]).toMatchObject({ user: PRIYA, team: 'T02ROASTER', user_team: 'T02ROASTER' });
    expect(await channel(HARBOUR)).toMatchObject({ is_ext_shared: false });
  });

  it('that is private and not the app’s is not there for it, until it is invited', async () => {
    workspace.admin.addChannel('#owners', { private: true, members: ['Ana', 'Mira'] });
    const list = async () => (await client.conversations.list({ types: 'private_channel' })).channels ?? [];
    expect(await list()).toEqual([]);
    expect((await refusal(post('#owners'))).error).toBe('channel_not_found');
    await workspace.as('Ana').in('#owners').type('/invite @tester');
    const [owners] = await list();
    expect(owners).toMatchObject({ name: 'owners', is_private: true, is_member: true });
    await post(owners?.id ?? '');
    const join = client.conversations.join({ channel: owners?.id ?? '' });
    expect((await refusal(join)).error).toBe('method_not_supported_for_channel_type');
  });

  it('that is public can be joined, and once is enough', async () => {
    expect((await refusal(post(RANDOM))).error).toBe('not_in_channel');
    expect((await client.conversations.join({ channel: RANDOM })).channel?.is_member).toBe(true);
    await workspace.as('Ben').in('#random').sees('has joined the channel');
    await post(RANDOM);
    expect(await client.conversations.join({ channel: RANDOM })).toMatchObject({
      warning: 'already_in_channel',
    });
    expect((await refusal(client.conversations.join({ channel: 'C0NOTHERE0' }))).error).toBe(
      'channel_not_found',
    );
  });

  it('takes in and loses the app by what people type, as in Slack', async () => {
    const ben = workspace.as('Ben').in('#random');
    await ben.type('/invite @nobody');
    await ben.sees('Nobody of that name is in this workspace');
    await ben.type('/invite @tester');
    await ben.sees('tester has joined the channel');
    await post(RANDOM);
    await ben.type('/invite @tester');
    await ben.sees('@tester is already in #random');
    await ben.type('/remove @tester');
    await ben.sees('tester has left the channel');
    expect((await refusal(post(RANDOM))).error).toBe('not_in_channel');
    await ben.type('/archive');
    expect((await refusal(post(RANDOM))).error).toBe('is_archived');
  });
});
