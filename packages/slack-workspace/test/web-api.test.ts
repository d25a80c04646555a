import type { WebClient } from '@slack/web-api';
import { describe, expect, it } from 'vitest';
import { expectError, openWorkspace } from './support/fixtures.ts';
import { createSlackClient, withScopes } from './support/workspace.ts';

const ANA = 'U01ANAFERR';
const HARBOUR = 'C02HARBOUR';

const { workspace, client } = await openWorkspace();

describe('the Web API', () => {
  it('an app-level token works for sockets, and belongs only to the app', async () => {
    const asApp = createSlackClient(workspace, workspace.appToken);
    expect((await asApp.apps.connections.open({})).url).toMatch(/^ws:\/\/127\.0\.0\.1:\d+\/link\?ticket=/);
    expect(await asApp.auth.test()).toMatchObject({ app_id: 'A01UPNEXTA', app_name: 'Tester' });
  });

  it('users.info returns the time zone of a person, and the language on request', async () => {
    expect((await client.users.info({ user: ANA })).user).toMatchObject({
      tz: 'Europe/Lisbon',
      is_owner: true,
    });
    expect((await client.users.info({ user: ANA })).user?.locale).toBeUndefined();
    expect((await client.users.info({ user: ANA, include_locale: true })).user?.locale).toBe('en-GB');
  });

  it('users.list and users.info have Slackbot, which Slack doesn’t call a bot', async () => {
    const { members } = await client.users.list({});
    expect(members?.at(-1)).toMatchObject({ id: 'USLACKBOT', name: 'slackbot', is_bot: false });
    const { user } = await client.users.info({ user: 'USLACKBOT' });
    expect(user).toMatchObject({ real_name: 'Slackbot', is_email_confirmed: false });
    expect((await fetch(user?.profile?.image_48 ?? '')).status).toBe(200);
  });

  it('conversations.info returns the language on request', async () => {
    const read = async (include_locale: boolean) =>
      (await client.conversations.info({ channel: 'C01GENERAL', include_locale })).channel;
    expect(await read(true)).toMatchObject({ locale: 'en-US' });
    expect(await read(false)).not.toHaveProperty('locale');
  });

  it('users.info returns emails only with the scope for emails, and none of bots', async () => {
    const other = await openWorkspace({ manifest: withScopes('users:read') });
    const readEmail = async (from: WebClient, user: string) =>
      (await from.users.info({ user })).user?.profile?.email;
    expect(await readEmail(client, ANA)).toBe('ana@example.com');
    expect(await readEmail(client, 'U09UPNEXTB')).toBeUndefined();
    expect(await readEmail(other.client, ANA)).toBeUndefined();
  });

  /** Reads all pages of a list, and expects at most `limit` entries on each. */
  async function readPages<T>(
    method: string,
    list: string,
    args: { limit: number; channel?: string },
  ): Promise<T[]> {
    const entries: T[] = [];
    for await (const page of client.paginate(method, args)) {
      const found = (page as unknown as Record<string, T[]>)[list] ?? [];
      expect(found.length).toBeLessThanOrEqual(args.limit);
      entries.push(...found);
    }
    return entries;
  }

  it('lists are returned in pages', async () => {
    const channels = await readPages<{ name: string }>('conversations.list', 'channels', { limit: 3 });
    const names = 'general harbour-coffee night-market-books random roastery-north summer-pop-up';
    expect(channels.map(({ name }) => name).join(' ')).toBe(names);
    expect((await client.users.conversations({ exclude_archived: true })).channels).toHaveLength(4);
    expect((await client.users.list({})).members).toHaveLength(8);
    const { members } = await client.conversations.members({ channel: HARBOUR });
    expect(members).toContain(ANA);
    expect(await readPages('conversations.members', 'members', { channel: HARBOUR, limit: 2 })).toEqual(
      members,
    );
  });

  it('a private channel without the app does not exist', async () => {
    const channel = workspace.admin.addChannel('#without-the-app', { private: true, members: ['Ana'] });
    await expectError(client.conversations.members({ channel }), 'channel_not_found');
    workspace.admin.deleteChannel('#without-the-app');
  });

  it('a direct message is opened only once', async () => {
    const first = await client.conversations.open({ users: ANA });
    expect(await client.conversations.open({ users: ANA })).toMatchObject({
      already_open: true,
      channel: { id: first.channel?.id },
    });
    expect((await client.conversations.info({ channel: first.channel?.id ?? '' })).channel?.is_im).toBe(true);
  });

  it('the app can send, change and delete its own messages', async () => {
    const { ts } = await client.chat.postMessage({ channel: HARBOUR, text: 'one' });
    const ana = workspace.as('Ana').in('#harbour-coffee');
    await ana.sees('one');
    await client.chat.update({ channel: HARBOUR, ts: ts ?? '', text: 'two' });
    expect(ana.messages().at(-1)).toBe('two');
    await client.chat.delete({ channel: HARBOUR, ts: ts ?? '' });
    expect(ana.messages()).not.toContain('two');
    await expectError(client.chat.update({ channel: HARBOUR, ts: ts ?? '', text: 'x' }), 'message_not_found');
  });

  it('an ephemeral message is visible to one person, and cannot be changed', async () => {
    const { message_ts: ts } = await client.chat.postEphemeral({ channel: HARBOUR, user: ANA, text: 'psst' });
    await workspace.as('Ana').in('#harbour-coffee').sees('psst');
    expect(workspace.as('Ben').in('#harbour-coffee').read()).not.toContain('psst');
    await expectError(client.chat.update({ channel: HARBOUR, ts: ts ?? '', text: 'x' }), 'message_not_found');
  });

  it('blocks that are no list are refused', async () => {
    for (const blocks of ['{', 'null', '{}']) {
      const message = { channel: HARBOUR, text: 'x', blocks };
      await expectError(client.apiCall('chat.postMessage', message), 'invalid_blocks_format');
    }
  });

  it('blocks whose texts together are too long are refused', async () => {
    const createBlocks = (last: number) =>
      [3000, 3000, 3000, last].map((length) => ({
        type: 'section' as const,
        text: { type: 'mrkdwn' as const, text: 'x'.repeat(length) },
      }));
    await client.chat.postMessage({ channel: HARBOUR, text: 'x', blocks: createBlocks(2340) });
    const tooLong = client.chat.postMessage({ channel: HARBOUR, text: 'x', blocks: createBlocks(2341) });
    await expectError(tooLong, 'msg_blocks_too_long');
  });

  it('any one of the scopes of a method is enough', async () => {
    for (const scope of ['channels:read', 'groups:read', 'im:read', 'mpim:read']) {
      const other = await openWorkspace({ manifest: withScopes(scope) });
      await expectError(other.client.conversations.info({ channel: 'C0NOWHERE00' }), 'channel_not_found');
    }
  });

  it('api.test returns its arguments', async () => {
    expect(await client.apiCall('api.test', { foo: 'bar' })).toMatchObject({
      ok: true,
      args: { foo: 'bar' },
    });
  });

  it('bots.info returns the name of the app', async () => {
    const { bot_id: bot = '', user_id } = await client.auth.test();
    const about = { id: bot, user_id, name: 'tester', deleted: false };
    expect((await client.bots.info({ bot })).bot).toMatchObject(about);
  });
});
