import type { WebClient } from '@slack/web-api';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Workspace } from '../../../src/emulators/slack/start-workspace.ts';
import { refusal, startTestWorkspace, TEST_MANIFEST } from '../../support/workspace.ts';

const HARBOUR = 'C02HARBOUR';
const ANA = 'U01ANAFERR';
const TASK = { event_type: 'post_shared', event_payload: { id: 'p1', platforms: ['X'] } };

describe('what an app reads of a conversation', () => {
  let workspace: Workspace;
  let client: WebClient;
  beforeEach(async () => {
    ({ workspace, client } = await startTestWorkspace());
  });
  afterEach(() => workspace.close());

  const post = async (text: string, more: object = {}): Promise<string> =>
    (await client.chat.postMessage({ channel: HARBOUR, text, ...more })).ts ?? '';
  const texts = async (more: object = {}) =>
    (await client.conversations.history({ channel: HARBOUR, ...more })).messages?.map(({ text }) => text);

  it('is the newest first, without replies and what one person alone saw', async () => {
    const first = await post('one');
    await post('two');
    await post('a reply', { thread_ts: first });
    await post('a reply for all', { thread_ts: first, reply_broadcast: true });
    await client.chat.postEphemeral({ channel: HARBOUR, user: ANA, text: 'psst' });
    expect((await texts())?.slice(0, 3)).toEqual(['a reply for all', 'two', 'one']);
  });

  it('comes in pages, and from a time to a time', async () => {
    const all: string[] = [];
    for (const text of ['1', '2', '3', '4', '5']) all.push(await post(text));
    const read: (string | undefined)[] = [];
    for await (const page of client.paginate('conversations.history', { channel: HARBOUR, limit: 2 })) {
      const { messages = [] } = page as { messages?: { text?: string }[] };
      expect(messages.length).toBeLessThanOrEqual(2);
      read.push(...messages.map(({ text }) => text));
    }
    expect(read.slice(0, 5)).toEqual(['5', '4', '3', '2', '1']);
    const [, second, , fourth] = all;
    expect(await texts({ oldest: second, latest: fourth })).toEqual(['3']);
    expect(await texts({ oldest: second, latest: fourth, inclusive: true })).toEqual(['4', '3', '2']);
    expect(await texts({ oldest: second, limit: 1 })).toEqual(['5']);
  });

  it('of a thread is its first message, then the replies, with who replied', async () => {
    const ts = await post('How was it?');
    await workspace.as('Ana').in('#harbour-coffee').reply('How was it?', 'Good!');
    await workspace.as('Ben').in('#harbour-coffee').reply('How was it?', 'Rainy.');
    const { messages } = await client.conversations.replies({ channel: HARBOUR, ts });
    expect(messages?.map(({ text }) => text)).toEqual(['How was it?', 'Good!', 'Rainy.']);
    expect(messages?.[0]).toMatchObject({
      thread_ts: ts,
      reply_count: 2,
      reply_users_count: 2,
      reply_users: [ANA, 'U02BENOKAF'],
      latest_reply: messages?.[2]?.ts,
    });
    expect(messages?.[1]).toMatchObject({ thread_ts: ts, parent_user_id: messages?.[0]?.user });
    const none = client.conversations.replies({ channel: HARBOUR, ts: '1.000001' });
    expect((await refusal(none)).error).toBe('thread_not_found');
  });

  it('counts replies that go, and keeps a trace of a first message that goes', async () => {
    const ts = await post('How was it?');
    const reply = await post('Good!', { thread_ts: ts });
    await post('Rainy.', { thread_ts: ts });
    await client.chat.delete({ channel: HARBOUR, ts: reply });
    const first = async () => (await client.conversations.replies({ channel: HARBOUR, ts })).messages?.[0];
    expect((await first())?.reply_count).toBe(1);
    await client.chat.delete({ channel: HARBOUR, ts });
    expect(await first()).toMatchObject({ subtype: 'tombstone', text: 'This message was deleted.' });
    expect((await refusal(client.chat.delete({ channel: HARBOUR, ts }))).error).toBe('message_not_found');
  });

  it('has an app’s metadata where it is asked for, until it is taken away', async () => {
    const ts = await post('shared', { metadata: TASK });
    const metadata = async (all = true) => {
      const { messages } = await client.conversations.history({
        channel: HARBOUR,
        limit: 1,
        include_all_metadata: all,
      });
      return messages?.[0]?.metadata;
    };
    expect(await metadata()).toEqual(TASK);
    expect(await metadata(false)).toBeUndefined();
    await client.chat.update({ channel: HARBOUR, ts, text: 'changed' });
    expect(await metadata()).toEqual(TASK);
    await client.apiCall('chat.update', { channel: HARBOUR, ts, text: 'changed', metadata: {} });
    expect(await metadata()).toBeUndefined();
  });

  it.each([
    ['no JSON', '{', 'invalid_metadata_format'],
    ['a list', [], 'invalid_metadata_format'],
    ['no type', { event_payload: {} }, 'invalid_metadata_schema'],
    ['no payload', { event_type: 'x' }, 'invalid_metadata_schema'],
  ])('takes no metadata that is %s', async (_, metadata, error) => {
    const call = client.apiCall('chat.postMessage', { channel: HARBOUR, text: 'x', metadata });
    expect((await refusal(call)).error).toBe(error);
  });

  it.each([
    ['a channel that it is not in', { channel: 'C04RANDOM0' }, 'not_in_channel'],
    ['a channel that is not there', { channel: 'C0NOTHERE0' }, 'channel_not_found'],
    ['a time that is none', { channel: HARBOUR, oldest: 'yesterday' }, 'invalid_ts_oldest'],
    ['another time that is none', { channel: HARBOUR, latest: 'soon' }, 'invalid_ts_latest'],
    ['a page that is none', { channel: HARBOUR, cursor: 'abc' }, 'invalid_cursor'],
  ])('is refused for %s', async (_, args, error) => {
    expect((await refusal(client.conversations.history(args))).error).toBe(error);
  });

  it('wants the scope of that kind of conversation', async () => {
    const manifest = { ...TEST_MANIFEST, oauth_config: { scopes: { bot: ['im:history', 'chat:write'] } } };
    const other = await startTestWorkspace({ manifest });
    const { channel = '' } = await other.client.chat.postMessage({ channel: ANA, text: 'for you' });
    expect((await other.client.conversations.history({ channel })).messages).toHaveLength(1);
    expect((await refusal(other.client.conversations.history({ channel: HARBOUR }))).error).toBe(
      'missing_scope',
    );
    await other.workspace.close();
  });

  it('has an address for each message, which leads to the page', async () => {
    const ts = await post('How was it?');
    const reply = await post('Good!', { thread_ts: ts });
    const link = async (messageTs: string) =>
      (await client.chat.getPermalink({ channel: HARBOUR, message_ts: messageTs })).permalink ?? '';
    expect(await link(ts)).toBe(`${workspace.url}/archives/${HARBOUR}/p${ts.replace('.', '')}`);
    expect(await link(reply)).toContain(`?thread_ts=${ts}&cid=${HARBOUR}`);
    const opened = await fetch(await link(ts), { redirect: 'manual' });
    expect(opened.headers.get('location')).toBe(`/?channel=${HARBOUR}&message=${ts}`);
    expect((await refusal(link('1.000001'))).error).toBe('message_not_found');
  });

  it('takes no thread that cannot be one', async () => {
    const call = client.chat.postMessage({ channel: HARBOUR, text: 'x', thread_ts: '0' });
    expect(await refusal(call)).toEqual({
      error: 'invalid_thread_ts',
      messages: ['[ERROR] 0 is not a valid thread_ts'],
    });
  });
});
