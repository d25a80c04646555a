import { describe, expect, it } from 'vitest';
import { expectError, openWorkspace } from './support/fixtures.ts';
import { catchError, TEST_MANIFEST } from './support/workspace.ts';

const HARBOUR = 'C02HARBOUR';
const ANA = 'U01ANAFERR';

const { workspace, client } = await openWorkspace();

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

  it('too_many_attachments: more than 100 attachments', async () => {
    const attach = (count: number) => ({
      ...sending,
      attachments: Array.from({ length: count }, () => ({ text: 'x' })),
    });
    await client.apiCall('chat.postMessage', attach(100));
    expect(await errorOf('chat.postMessage', attach(101))).toBe('too_many_attachments');
  });

  it('metadata_too_large: metadata of more than 16 KB', async () => {
    const empty = { event_type: 'kept', event_payload: { text: '' } };
    const describeWith = (bytes: number) => ({
      ...sending,
      metadata: {
        ...empty,
        event_payload: { text: 'x'.repeat(bytes - JSON.stringify(empty).length) },
      },
    });
    await client.apiCall('chat.postMessage', describeWith(16_384));
    expect(await errorOf('chat.postMessage', describeWith(16_385))).toBe('metadata_too_large');
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
    const { admin } = workspace;
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

  const upload = { filename: 'a.txt', length: 10 };

  it('snippet_too_large: a snippet of more than 1 MB', async () => {
    const snippet = (length: number) => ({ filename: 'a.txt', length, snippet_type: 'text' });
    await client.apiCall('files.getUploadURLExternal', snippet(1_048_576));
    expect(await errorOf('files.getUploadURLExternal', snippet(1_048_577))).toBe('snippet_too_large');
  });

  it('alt_txt_too_large: a description of more than 1,000 characters', async () => {
    const describeWith = (count: number) => ({ ...upload, alt_txt: 'x'.repeat(count) });
    await client.apiCall('files.getUploadURLExternal', describeWith(1_000));
    expect(await errorOf('files.getUploadURLExternal', describeWith(1_001))).toBe('alt_txt_too_large');
  });
});
