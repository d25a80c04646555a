import type { WebClient } from '@slack/web-api';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Workspace } from '../../../src/emulators/slack/start-workspace.ts';
import { clientFor, refusal, startTestWorkspace, TEST_MANIFEST } from '../../support/workspace.ts';

const ANA = 'U01ANAFERR';
const HARBOUR = 'C02HARBOUR';

describe('the Web API', () => {
  let workspace: Workspace;
  let client: WebClient;
  beforeAll(async () => {
    ({ workspace, client } = await startTestWorkspace());
  });
  afterAll(() => workspace.close());

  it('knows whose token it is', async () => {
    expect(await client.auth.test()).toMatchObject({
      team: 'Harbour Coffee',
      bot_id: 'B01UPNEXTB',
      user: 'tester',
    });
  });

  it.each([
    ['no token', undefined, 'not_authed'],
    ['a token that was never given out', 'xoxb-other', 'invalid_auth'],
  ])('refuses %s', async (_, token, error) => {
    const call = new Headers(token === undefined ? {} : { Authorization: `Bearer ${token}` });
    const response = await fetch(`${workspace.apiUrl}auth.test`, { method: 'POST', headers: call });
    expect(await response.json()).toMatchObject({ ok: false, error });
  });

  it('takes an app-level token for sockets only, and a bot token for everything else only', async () => {
    const asApp = clientFor(workspace, workspace.appToken);
    expect((await asApp.apps.connections.open({})).url).toMatch(/^ws:\/\/127\.0\.0\.1:\d+\/link\?ticket=/);
    expect((await refusal(asApp.auth.test())).error).toBe('not_allowed_token_type');
    expect((await refusal(client.apps.connections.open({}))).error).toBe('not_allowed_token_type');
  });

  it('takes JSON as well as forms, and the token among the arguments', async () => {
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

  it('names a method that is not there', async () => {
    expect((await refusal(client.apiCall('chat.sing'))).error).toBe('unknown_method');
  });

  it('names the scope that the manifest lacks', async () => {
    const manifest = { ...TEST_MANIFEST, oauth_config: { scopes: { bot: ['commands'] } } };
    const other = await startTestWorkspace({ manifest });
    const answer = await fetch(`${other.workspace.apiUrl}users.info?user=${ANA}`, {
      headers: { Authorization: `Bearer ${other.workspace.botToken}` },
    });
    expect(await answer.json()).toEqual({
      ok: false,
      error: 'missing_scope',
      needed: 'users:read',
      provided: 'commands',
    });
    await other.workspace.close();
  });

  it('tells the zone of a person, and the language when asked', async () => {
    expect((await client.users.info({ user: ANA })).user).toMatchObject({
      tz: 'Europe/Lisbon',
      is_owner: true,
    });
    expect((await client.users.info({ user: ANA })).user?.locale).toBeUndefined();
    expect((await client.users.info({ user: ANA, include_locale: true })).user?.locale).toBe('en-GB');
    expect((await refusal(client.users.info({ user: 'U0NOBODY' }))).error).toBe('user_not_found');
  });

  it('lists in pages', async () => {
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
    expect((await client.users.list({})).members).toHaveLength(7);
  });

  it('lists the members of a channel by pages, and hides a private channel that it is not in', async () => {
    const whole = (await client.conversations.members({ channel: HARBOUR })).members ?? [];
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
    expect(members).toEqual(whole);
    // https://docs.slack.dev/reference/methods/conversations.members#errors
    const wrong = client.conversations.members({ channel: HARBOUR, cursor: 'nonsense' });
    expect((await refusal(wrong)).error).toBe('invalid_cursor');
    const channel = workspace.admin.addChannel('#without-the-app', { private: true, members: ['Ana'] });
    const hidden = client.conversations.members({ channel });
    expect((await refusal(hidden)).error).toBe('channel_not_found');
    workspace.admin.deleteChannel('#without-the-app');
  });

  it('opens a direct message once', async () => {
    const first = await client.conversations.open({ users: ANA });
    expect(await client.conversations.open({ users: ANA })).toMatchObject({
      already_open: true,
      channel: { id: first.channel?.id },
    });
    expect((await client.conversations.info({ channel: first.channel?.id ?? '' })).channel?.is_im).toBe(true);
  });

  it('writes, changes and deletes its own messages', async () => {
    const { ts } = await client.chat.postMessage({ channel: HARBOUR, text: 'one' });
    const ana = workspace.as('Ana').in('#harbour-coffee');
    await ana.sees('one');
    await client.chat.update({ channel: HARBOUR, ts: ts ?? '', text: 'two' });
    expect(ana.messages().at(-1)).toBe('two');
    await client.chat.delete({ channel: HARBOUR, ts: ts ?? '' });
    expect(ana.messages()).not.toContain('two');
    expect((await refusal(client.chat.update({ channel: HARBOUR, ts: ts ?? '', text: 'x' }))).error).toBe(
      'message_not_found',
    );
  });

  it('shows an ephemeral message to one person, and does not find it again', async () => {
    const { message_ts: ts } = await client.chat.postEphemeral({ channel: HARBOUR, user: ANA, text: 'psst' });
    await workspace.as('Ana').in('#harbour-coffee').sees('psst');
    expect(workspace.as('Ben').in('#harbour-coffee').read()).not.toContain('psst');
    expect((await refusal(client.chat.update({ channel: HARBOUR, ts: ts ?? '', text: 'x' }))).error).toBe(
      'message_not_found',
    );
  });

  it.each([
    ['a channel that is not there', { channel: 'C0NOTHERE', text: 'x' }, 'channel_not_found'],
    ['a channel that it is not in', { channel: 'C04RANDOM0', text: 'x' }, 'not_in_channel'],
    ['nothing', { channel: HARBOUR, text: '' }, 'no_text'],
  ])('does not write to %s', async (_, message, error) => {
    expect((await refusal(client.chat.postMessage(message))).error).toBe(error);
  });

  it('refuses blocks with Slack’s words and place', async () => {
    const call = client.apiCall('chat.postMessage', {
      channel: HARBOUR,
      text: 'x',
      blocks: [{ type: 'section', text: { type: 'mrkdwn', text: 'x'.repeat(3001) } }],
    });
    expect(await refusal(call)).toEqual({
      error: 'invalid_blocks',
      messages: ['[ERROR] must be less than 3001 characters [json-pointer:/blocks/0/text/text]'],
    });
    expect((await refusal(client.apiCall('chat.postMessage', { channel: HARBOUR, blocks: '{' }))).error).toBe(
      'invalid_blocks_format',
    );
  });

  it('refuses blocks that are too long together', async () => {
    const blocks = (last: number) =>
      [3000, 3000, 3000, last].map((length) => ({
        type: 'section' as const,
        text: { type: 'mrkdwn' as const, text: 'x'.repeat(length) },
      }));
    await client.chat.postMessage({ channel: HARBOUR, text: 'x', blocks: blocks(2340) });
    const longer = client.chat.postMessage({ channel: HARBOUR, text: 'x', blocks: blocks(2341) });
    expect((await refusal(longer)).error).toBe('msg_blocks_too_long');
  });
});
