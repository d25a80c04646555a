import { describe, expect, it } from 'vitest';
import { expectError, openWorkspace } from './support/fixtures.ts';
import { catchError, catchRefusal, TEST_MANIFEST } from './support/workspace.ts';

const HARBOUR = 'C02HARBOUR';
const ANA = 'U01ANAFERR';
const divider = { type: 'divider' as const };

const { workspace, client } = await openWorkspace();
const { admin } = workspace;
admin.addChannel('#notices', { members: ['Ana', 'Ben', 'tester'] });
admin.restrict('#notices');

describe('Slack’s refusals', () => {
  const sendMessage = (channel: string, fields: object = {}) =>
    client.apiCall('chat.postMessage', { channel, text: 'x', ...fields });

  it('restricted_action: only owners and admins may write in the channel', async () => {
    await expectError(sendMessage('#notices'), 'restricted_action');
    await expect(workspace.as('Ben').in('#notices').type('hello')).rejects.toThrow('restricted_action');
    await workspace.as('Ana').in('#notices').type('hello');
    await workspace.as('Ben').in('#notices').sees('hello');
  });

  it('no_text: the message has neither text nor blocks; blocks alone are enough', async () => {
    await expectError(sendMessage(HARBOUR, { text: '' }), 'no_text');
    await expectError(sendMessage(HARBOUR, { text: '', blocks: [] }), 'no_text');
    await expectError(sendMessage(HARBOUR, { text: ' \n' }), 'no_text');
    await sendMessage(HARBOUR, { text: '', blocks: [divider] });
  });

  it('a text is truncated after 40,000 characters', async () => {
    const sendAndMeasure = async (text: string) => {
      const { message } = await client.chat.postMessage({ channel: HARBOUR, text });
      return message?.text?.length;
    };
    expect(await sendAndMeasure('x'.repeat(40_000))).toBe(40_000);
    expect(await sendAndMeasure('x'.repeat(40_001))).toBe(40_000);
    const warningsOf = async (text: string) =>
      (await sendMessage(HARBOUR, { text })).response_metadata?.warnings;
    expect(await warningsOf('x'.repeat(40_000))).toBeUndefined();
    expect(await warningsOf('x'.repeat(40_001))).toEqual(['message_truncated']);
  });

  it('msg_too_long: a changed text has more than 4,000 characters', async () => {
    const { ts = '' } = await client.chat.postMessage({ channel: HARBOUR, text: 'x' });
    await client.chat.update({ channel: HARBOUR, ts, text: 'x'.repeat(4000) });
    const longer = client.chat.update({ channel: HARBOUR, ts, text: 'x'.repeat(4001) });
    await expectError(longer, 'msg_too_long');
  });

  it('invalid_blocks: a message has more than 50 blocks', async () => {
    const makeBlocks = (count: number) => Array.from({ length: count }, () => divider);
    await sendMessage(HARBOUR, { blocks: makeBlocks(50) });
    expect(await catchRefusal(sendMessage(HARBOUR, { blocks: makeBlocks(51) }))).toEqual({
      error: 'invalid_blocks',
      messages: ['[ERROR] no more than 50 items allowed [json-pointer:/blocks]'],
    });
  });

  it.each([
    'http://localhost:8080/a.png',
    'http://127.0.0.1:8080/a.png',
    'https://192.168.1.20/a.png',
    'http://[::1]/a.png',
    'https://nas.local/a.png',
    'data:image/png;base64,AAAA',
    'a.png',
  ])('downloading image failed: Slack cannot reach %s', async (image_url) => {
    const makeImage = (url: string) => ({
      blocks: [{ type: 'image', alt_text: 'A cup', image_url: url }],
    });
    expect(await catchRefusal(sendMessage(HARBOUR, makeImage(image_url)))).toEqual({
      error: 'invalid_blocks',
      messages: ['[ERROR] downloading image failed [json-pointer:/blocks/0/image_url]'],
    });
    await sendMessage(HARBOUR, makeImage('https://pictures.example/a.png'));
    await sendMessage(HARBOUR, makeImage('http://93.184.216.34/a.png'));
  });

  it('a command in a thread is not run, and the person gets an error', async () => {
    const ana = workspace.as('Ana').in('#harbour-coffee');
    await ana.type('What about tea?');
    await ana.reply('What about tea?', '/say something');
    await ana.sees('/say is not supported in threads. Sorry!');
    await ana.reply('What about tea?', 'say /something');
    const { messages } = await client.conversations.replies({
      channel: HARBOUR,
      ts: (await client.conversations.history({ channel: HARBOUR, limit: 1 })).messages?.[0]?.ts ?? '',
    });
    expect(messages?.map(({ text }) => text)).toEqual(['What about tea?', 'say /something']);
  });
});

describe('Slack’s refusals of arguments', () => {
  const errorOf = (method: string, fields: Record<string, unknown> = {}) =>
    catchError(client.apiCall(method, fields));
  const sending = { channel: HARBOUR, text: 'x' };

  it.each(['chat.postMessage', 'chat.postEphemeral', 'chat.update'])(
    'markdown_text_conflict: %s has markdown_text beside text or blocks',
    async (method) => {
      const markdown = { channel: HARBOUR, user: ANA, ts: '1.1', markdown_text: '**x**' };
      expect(await errorOf(method, { ...markdown, text: 'x' })).toBe('markdown_text_conflict');
      const blocks = [{ type: 'divider' }];
      expect(await errorOf(method, { ...markdown, blocks })).toBe('markdown_text_conflict');
    },
  );

  it('messages_tab_disabled: the app has no Messages tab and writes to a person, but not to a channel', async () => {
    const features = { ...TEST_MANIFEST.features, app_home: { messages_tab_enabled: false } };
    const { client: silent } = await openWorkspace({ manifest: { ...TEST_MANIFEST, features } });
    await expectError(silent.chat.postMessage({ channel: ANA, text: 'x' }), 'messages_tab_disabled');
    expect((await silent.chat.postMessage(sending)).ok).toBe(true);
  });

  it.each(['chat.update', 'chat.delete'])(
    'channel_not_found: %s names a channel or a person',
    async (method) => {
      const { ts } = await client.chat.postMessage(sending);
      for (const channel of ['harbour-coffee', '#harbour-coffee', ANA]) {
        expect(await errorOf(method, { channel, ts, text: 'y' })).toBe('channel_not_found');
      }
      await client.apiCall(method, { channel: HARBOUR, ts, text: 'y' });
    },
  );

  it('cannot_dm_bot: an app writes to a bot, such as itself', async () => {
    const helper = admin.addPerson({ name: 'Helper', isBot: true });
    const { user_id: itself = '' } = await client.auth.test();
    for (const users of [helper, itself]) {
      await expectError(client.conversations.open({ users }), 'cannot_dm_bot');
      await expectError(client.chat.postMessage({ channel: users, text: 'x' }), 'cannot_dm_bot');
    }
    expect((await client.conversations.open({ users: `${ANA},${helper}` })).ok).toBe(true);
  });

  it('too_many_users: more than eight people', async () => {
    const users = Array.from({ length: 9 }, (_, index) => `U0${index}`).join(',');
    expect(await errorOf('conversations.open', { users })).toBe('too_many_users');
  });

  it.each(['conversations.list', 'conversations.members', 'users.conversations'])(
    'invalid_limit: %s wants a whole number up to 1,000',
    async (method) => {
      for (const limit of ['many', '-1', '1.5', '1001']) {
        expect(await errorOf(method, { channel: HARBOUR, limit })).toBe('invalid_limit');
      }
      for (const limit of ['0', '1', '1000']) await client.apiCall(method, { channel: HARBOUR, limit });
    },
  );

  it('users.list takes any limit, and without one lists everybody', async () => {
    for (let count = 0; count < 100; count += 1) admin.addPerson({ name: `Person ${count}` });
    const listWith = async (limit?: number | string) => {
      const { members } = await client.users.list({ ...(limit !== undefined && { limit: limit as number }) });
      return members?.length ?? 0;
    };
    expect(await listWith()).toBeGreaterThan(100);
    expect(await listWith(2)).toBe(2);
    expect(await listWith('many')).toBeGreaterThan(100);
  });

  it.each(['conversations.list', 'conversations.members', 'users.conversations', 'users.list'])(
    'invalid_cursor: %s gets a cursor that is not its own',
    async (method) => {
      const next = async (other: string) => {
        const page = await client.apiCall(other, { channel: HARBOUR, limit: 1 });
        return page.response_metadata?.next_cursor ?? '';
      };
      const own = await next(method);
      await client.apiCall(method, { channel: HARBOUR, cursor: own });
      const foreign = await next(method === 'users.list' ? 'conversations.list' : 'users.list');
      for (const cursor of ['abc', '!', 'bm9uc2Vuc2U=', 'MQ==', `${own}x`, foreign]) {
        expect([cursor, await errorOf(method, { channel: HARBOUR, cursor })]).toEqual([
          cursor,
          'invalid_cursor',
        ]);
      }
    },
  );

  it('invalid_cursor: the message of the cursor was deleted', async () => {
    for (const text of ['one', 'two', 'three']) await client.chat.postMessage({ ...sending, text });
    const { messages, response_metadata } = await client.conversations.history({
      channel: HARBOUR,
      limit: 1,
    });
    await client.chat.delete({ channel: HARBOUR, ts: messages?.[0]?.ts ?? '' });
    const cursor = response_metadata?.next_cursor;
    expect(await errorOf('conversations.history', { channel: HARBOUR, cursor })).toBe('invalid_cursor');
  });

  it.each(['conversations.history', 'conversations.replies'])(
    'invalid_metadata_filter_keys: %s names the metadata in no list of texts',
    async (method) => {
      const { ts } = await client.chat.postMessage(sending);
      const read = { channel: HARBOUR, ts };
      for (const metadata_keys_to_include of ['kept', '{}', '[1]']) {
        expect(await errorOf(method, { ...read, metadata_keys_to_include })).toBe(
          'invalid_metadata_filter_keys',
        );
      }
      await client.apiCall(method, { ...read, metadata_keys_to_include: '["kept"]' });
    },
  );

  const snippet = { filename: 'a.txt', length: 10 };
  const limits: [title: string, method: string, max: number, makeArgs: (count: number) => object][] = [
    [
      'too_many_attachments: more than 100 attachments',
      'chat.postMessage',
      100,
      (count) => ({ ...sending, attachments: Array.from({ length: count }, () => ({ text: 'x' })) }),
    ],
    [
      'metadata_too_large: metadata of more than 16 KB',
      'chat.postMessage',
      16_384,
      (bytes) => {
        const empty = JSON.stringify({ event_type: 'kept', event_payload: { text: '' } });
        const event_payload = { text: 'x'.repeat(bytes - empty.length) };
        return { ...sending, metadata: { event_type: 'kept', event_payload } };
      },
    ],
    [
      'snippet_too_large: a snippet of more than 1 MB',
      'files.getUploadURLExternal',
      1_048_576,
      (length) => ({ ...snippet, length, snippet_type: 'text' }),
    ],
    [
      'alt_txt_too_large: a description of more than 1,000 characters',
      'files.getUploadURLExternal',
      1_000,
      (count) => ({ ...snippet, alt_txt: 'x'.repeat(count) }),
    ],
  ];
  it.each(limits)('%s', async (title, method, max, makeArgs) => {
    await client.apiCall(method, { ...makeArgs(max) });
    expect(await errorOf(method, { ...makeArgs(max + 1) })).toBe(title.split(':')[0]);
  });
});
