import type { WebClient } from '@slack/web-api';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Workspace } from '../src/workspace.ts';
import { catchRefusal, createSlackClient, startTestWorkspace, TEST_MANIFEST } from './support/workspace.ts';

const ANA = 'U01ANAFERR';
const HARBOUR = 'C02HARBOUR';

describe('the Web API', () => {
  let workspace: Workspace;
  let client: WebClient;
  beforeAll(async () => {
    ({ workspace, client } = await startTestWorkspace());
  });
  afterAll(() => workspace.close());

  it('auth.test returns the workspace and the app of the token', async () => {
    expect(await client.auth.test()).toMatchObject({
      team: 'Harbour Coffee',
      bot_id: 'B01UPNEXTB',
      user: 'tester',
    });
  });

  it('an app-level token works only for sockets, and a bot token only for all other methods', async () => {
    const asApp = createSlackClient(workspace, workspace.appToken);
    expect((await asApp.apps.connections.open({})).url).toMatch(/^ws:\/\/127\.0\.0\.1:\d+\/link\?ticket=/);
    expect(await asApp.auth.test()).toMatchObject({ app_id: 'A01UPNEXTA', app_name: 'Tester' });
    expect((await catchRefusal(asApp.users.list({}))).error).toBe('not_allowed_token_type');
    expect((await catchRefusal(client.apps.connections.open({}))).error).toBe('not_allowed_token_type');
  });

  it('arguments may be JSON or a form, and the token may be an argument', async () => {
    const json = await fetch(`${workspace.apiUrl}chat.postMessage`, {
      method: 'POST',
      headers: {
        'Content-Type': 'application/json; charset=utf-8',
        Authorization: `Bearer ${workspace.botToken}`,
      },
      body: JSON.stringify({ channel: HARBOUR, text: 'as JSON' }),
    });
    expect(await json.json()).toMatchObject({ ok: true, message: { text: 'as JSON' } });
    const form = await fetch(`${workspace.apiUrl}auth.test`, {
      method: 'POST',
      body: new URLSearchParams({ token: workspace.botToken }),
    });
    expect(await form.json()).toMatchObject({ ok: true });
  });

  it('users.info returns the time zone of a person, and the language on request', async () => {
    expect((await client.users.info({ user: ANA })).user).toMatchObject({
      tz: 'Europe/Lisbon',
      is_owner: true,
    });
    expect((await client.users.info({ user: ANA })).user?.locale).toBeUndefined();
    expect((await client.users.info({ user: ANA, include_locale: true })).user?.locale).toBe('en-GB');
    expect((await catchRefusal(client.users.info({ user: 'U0NOBODY' }))).error).toBe('user_not_found');
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
    const manifest = { ...TEST_MANIFEST, oauth_config: { scopes: { bot: ['users:read'] } } };
    const other = await startTestWorkspace({ manifest });
    const readEmail = async (from: WebClient, user: string) =>
      (await from.users.info({ user })).user?.profile?.email;
    expect(await readEmail(client, ANA)).toBe('ana@example.com');
    expect(await readEmail(client, 'U09UPNEXTB')).toBeUndefined();
    expect(await readEmail(other.client, ANA)).toBeUndefined();
    await other.workspace.close();
  });

  it('lists are returned in pages', async () => {
    const names: (string | undefined)[] = [];
    let cursor: string | undefined;
    do {
      const page = await client.conversations.list({ limit: 3, ...(cursor ? { cursor } : {}) });
      expect(page.channels?.length).toBeLessThanOrEqual(3);
      names.push(...(page.channels ?? []).map((channel) => channel.name));
      cursor = page.response_metadata?.next_cursor;
    } while (cursor);
    expect(names).toEqual([
      'general',
      'harbour-coffee',
      'night-market-books',
      'random',
      'roastery-north',
      'summer-pop-up',
    ]);
    expect((await client.users.conversations({ exclude_archived: true })).channels).toHaveLength(4);
    expect((await client.conversations.members({ channel: HARBOUR })).members).toContain(ANA);
    expect((await client.users.list({})).members).toHaveLength(8);
  });

  it('the members of a channel are returned in pages; a private channel without the app does not exist', async () => {
    const allMembers = (await client.conversations.members({ channel: HARBOUR })).members ?? [];
    const members: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await client.conversations.members({
        channel: HARBOUR,
        limit: 2,
        ...(cursor && { cursor }),
      });
      expect(page.members?.length).toBeLessThanOrEqual(2);
      members.push(...(page.members ?? []));
      cursor = page.response_metadata?.next_cursor;
    } while (cursor);
    expect(members).toEqual(allMembers);
    // https://docs.slack.dev/reference/methods/conversations.members#errors
    const invalidPage = client.conversations.members({ channel: HARBOUR, cursor: 'nonsense' });
    expect((await catchRefusal(invalidPage)).error).toBe('invalid_cursor');
    const channel = workspace.admin.addChannel('#without-the-app', { private: true, members: ['Ana'] });
    const hiddenMembers = client.conversations.members({ channel });
    expect((await catchRefusal(hiddenMembers)).error).toBe('channel_not_found');
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
    expect(
      (await catchRefusal(client.chat.update({ channel: HARBOUR, ts: ts ?? '', text: 'x' }))).error,
    ).toBe('message_not_found');
  });

  it('an ephemeral message is visible to one person, and cannot be changed', async () => {
    const { message_ts: ts } = await client.chat.postEphemeral({ channel: HARBOUR, user: ANA, text: 'psst' });
    await workspace.as('Ana').in('#harbour-coffee').sees('psst');
    expect(workspace.as('Ben').in('#harbour-coffee').read()).not.toContain('psst');
    expect(
      (await catchRefusal(client.chat.update({ channel: HARBOUR, ts: ts ?? '', text: 'x' }))).error,
    ).toBe('message_not_found');
  });

  it('invalid blocks are refused with Slack’s message and pointer', async () => {
    const call = client.apiCall('chat.postMessage', {
      channel: HARBOUR,
      text: 'x',
      blocks: [{ type: 'section', text: { type: 'mrkdwn', text: 'x'.repeat(3001) } }],
    });
    expect(await catchRefusal(call)).toEqual({
      error: 'invalid_blocks',
      messages: ['[ERROR] must be less than 3001 characters [json-pointer:/blocks/0/text/text]'],
    });
    expect(
      (await catchRefusal(client.apiCall('chat.postMessage', { channel: HARBOUR, blocks: '{' }))).error,
    ).toBe('invalid_blocks_format');
  });

  it('blocks whose texts together are too long are refused', async () => {
    const createBlocks = (last: number) =>
      [3000, 3000, 3000, last].map((length) => ({
        type: 'section' as const,
        text: { type: 'mrkdwn' as const, text: 'x'.repeat(length) },
      }));
    await client.chat.postMessage({ channel: HARBOUR, text: 'x', blocks: createBlocks(2340) });
    const tooLong = client.chat.postMessage({ channel: HARBOUR, text: 'x', blocks: createBlocks(2341) });
    expect((await catchRefusal(tooLong)).error).toBe('msg_blocks_too_long');
  });
});
