import type { WebClient } from '@slack/web-api';
import { beforeEach, describe, expect, it } from 'vitest';
import type { Workspace } from '../src/workspace.ts';
import { expectError, openWorkspace } from './support/fixtures.ts';
import { catchRefusal, withScopes } from './support/workspace.ts';

const HARBOUR = 'C02HARBOUR';
const ANA = 'U01ANAFERR';
const TASK = { event_type: 'post_shared', event_payload: { id: 'p1', platforms: ['X'] } };

describe('an app that reads a conversation', () => {
  let workspace: Workspace;
  let client: WebClient;
  beforeEach(async () => {
    ({ workspace, client } = await openWorkspace());
  });

  const sendMessage = async (text: string, extra: object = {}): Promise<string> =>
    (await client.chat.postMessage({ channel: HARBOUR, text, ...extra })).ts ?? '';
  const readTexts = async (extra: object = {}) =>
    (await client.conversations.history({ channel: HARBOUR, ...extra })).messages?.map(({ text }) => text);

  it('the history has the newest message first, without replies and ephemeral messages', async () => {
    const first = await sendMessage('one');
    await sendMessage('two');
    await sendMessage('a reply', { thread_ts: first });
    await sendMessage('a reply for all', { thread_ts: first, reply_broadcast: true });
    await client.chat.postEphemeral({ channel: HARBOUR, user: ANA, text: 'psst' });
    expect((await readTexts())?.slice(0, 3)).toEqual(['a reply for all', 'two', 'one']);
  });

  it('the history can be read in pages and between two times', async () => {
    const sentTs: string[] = [];
    for (const text of ['1', '2', '3', '4', '5']) sentTs.push(await sendMessage(text));
    const textsRead: (string | undefined)[] = [];
    for await (const page of client.paginate('conversations.history', { channel: HARBOUR, limit: 2 })) {
      const { messages = [] } = page as { messages?: { text?: string }[] };
      expect(messages.length).toBeLessThanOrEqual(2);
      textsRead.push(...messages.map(({ text }) => text));
    }
    expect(textsRead.slice(0, 5)).toEqual(['5', '4', '3', '2', '1']);
    const [, second, , fourth] = sentTs;
    expect(await readTexts({ oldest: second, latest: fourth })).toEqual(['3']);
    expect(await readTexts({ oldest: second, latest: fourth, inclusive: true })).toEqual(['4', '3', '2']);
    expect(await readTexts({ oldest: second, limit: 1 })).toEqual(['5']);
  });

  it('the first of thousands of messages stays in the history', async () => {
    const first = await sendMessage('The first of many');
    const ben = workspace.as('Ben').in('#harbour-coffee');
    for (let number = 0; number < 2_500; number += 1) await ben.type(`number ${number}`);
    expect(await readTexts({ latest: first, inclusive: true, limit: 1 })).toEqual(['The first of many']);
  });

  it('a thread has its first message, then the replies, and the people who replied', async () => {
    const ts = await sendMessage('How was it?');
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
  });

  it('deleted replies are not counted, and a deleted first message leaves a placeholder', async () => {
    const ts = await sendMessage('How was it?');
    const reply = await sendMessage('Good!', { thread_ts: ts });
    await sendMessage('Rainy.', { thread_ts: ts });
    await client.chat.delete({ channel: HARBOUR, ts: reply });
    const readFirst = async () =>
      (await client.conversations.replies({ channel: HARBOUR, ts })).messages?.[0];
    expect((await readFirst())?.reply_count).toBe(1);
    await client.chat.delete({ channel: HARBOUR, ts });
    expect(await readFirst()).toMatchObject({ subtype: 'tombstone', text: 'This message was deleted.' });
  });

  it('the metadata of a message is returned on request, until the app removes it', async () => {
    const ts = await sendMessage('shared', { metadata: TASK });
    const readMetadata = async (isRequested = true) => {
      const { messages } = await client.conversations.history({
        channel: HARBOUR,
        limit: 1,
        include_all_metadata: isRequested,
      });
      return messages?.[0]?.metadata;
    };
    expect(await readMetadata()).toEqual(TASK);
    expect(await readMetadata(false)).toBeUndefined();
    await client.chat.update({ channel: HARBOUR, ts, text: 'changed' });
    expect(await readMetadata()).toEqual(TASK);
    await client.apiCall('chat.update', { channel: HARBOUR, ts, text: 'changed', metadata: {} });
    expect(await readMetadata()).toBeUndefined();
  });

  it('reading needs the scope for the kind of conversation', async () => {
    const other = await openWorkspace({ manifest: withScopes('im:history', 'chat:write') });
    const { channel = '' } = await other.client.chat.postMessage({ channel: ANA, text: 'for you' });
    expect((await other.client.conversations.history({ channel })).messages).toHaveLength(1);
    await expectError(other.client.conversations.history({ channel: HARBOUR }), 'missing_scope');
  });

  it('each message has a link that opens it on the page', async () => {
    const ts = await sendMessage('How was it?');
    const reply = await sendMessage('Good!', { thread_ts: ts });
    const fetchLink = async (messageTs: string) =>
      (await client.chat.getPermalink({ channel: HARBOUR, message_ts: messageTs })).permalink ?? '';
    expect(await fetchLink(ts)).toBe(`${workspace.url}/archives/${HARBOUR}/p${ts.replace('.', '')}`);
    expect(await fetchLink(reply)).toContain(`?thread_ts=${ts}&cid=${HARBOUR}`);
    const redirect = await fetch(await fetchLink(ts), { redirect: 'manual' });
    expect(redirect.headers.get('location')).toBe(`/?channel=${HARBOUR}&message=${ts}`);
  });

  it('a message with an impossible thread is refused', async () => {
    const call = client.chat.postMessage({ channel: HARBOUR, text: 'x', thread_ts: '0' });
    expect(await catchRefusal(call)).toEqual({
      error: 'invalid_thread_ts',
      messages: ['[ERROR] 0 is not a valid thread_ts'],
    });
  });
});
