import type { WebClient } from '@slack/web-api';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Workspace } from '../../../../src/emulators/slack/start-workspace.ts';
import { SMALL_PNG } from '../../../support/small-png.ts';
import { uploadFile } from '../../../support/upload-file.ts';
import { clientFor, refusal, startTestWorkspace, TEST_MANIFEST } from '../../../support/workspace.ts';

const HARBOUR = 'C02HARBOUR';
const PICTURE = { file: SMALL_PNG, filename: 'roast.png', title: 'The new roast' };

describe('an upload by the SDK’s own uploadV2', () => {
  let workspace: Workspace;
  let client: WebClient;
  beforeAll(async () => {
    ({ workspace, client } = await startTestWorkspace());
  });
  afterAll(() => workspace.close());

  /** Uploads unshared, and answers with the file's id once Slack has looked through it. */
  async function uploaded(name = 'roast.png'): Promise<string> {
    const { id } = await uploadFile(client, { ...PICTURE, filename: name });
    workspace.clock.advance(1000);
    return id;
  }

  it('into a channel is a message with the file', async () => {
    const ben = workspace.as('Ben').in('#harbour-coffee');
    await client.files.uploadV2({ ...PICTURE, channel_id: HARBOUR, initial_comment: 'Look at *this*' });
    await ben.sees('Look at this');
    expect(ben.messages().at(-1)).toContain('[The new roast]');
    const { messages } = await client.conversations.history({ channel: HARBOUR, limit: 1 });
    expect(messages?.[0]).toMatchObject({
      text: 'Look at *this*',
      upload: true,
      files: [{ name: 'roast.png', title: 'The new roast', size: SMALL_PNG.length, is_public: true }],
    });
  });

  it('of several files is one message, in a thread where asked', async () => {
    const { ts = '' } = await client.chat.postMessage({ channel: HARBOUR, text: 'two pictures:' });
    await client.files.uploadV2({
      channel_id: HARBOUR,
      thread_ts: ts,
      file_uploads: [
        { file: SMALL_PNG, filename: 'one.png' },
        { content: 'two', filename: 'two.txt' },
      ],
    });
    const { messages } = await client.conversations.replies({ channel: HARBOUR, ts });
    expect(messages).toHaveLength(2);
    expect(messages?.[1]?.files?.map((file) => file.name)).toEqual(['one.png', 'two.txt']);
  });

  it('without a channel is private, and its type is known a moment later', async () => {
    const { id } = await uploadFile(client, PICTURE);
    expect((await client.files.info({ file: id })).file).toMatchObject({ mimetype: '', filetype: '' });
    workspace.clock.advance(250);
    expect((await client.files.info({ file: id })).file).toMatchObject({
      mimetype: 'image/png',
      filetype: 'png',
      is_public: false,
    });
  });

  it('can be read by the app, and otherwise leads to signing in', async () => {
    const { file } = await client.files.info({ file: await uploaded() });
    const read = (headers: Record<string, string>) =>
      fetch(file?.url_private ?? '', { headers, redirect: 'manual' });
    const asApp = await read({ Authorization: `Bearer ${workspace.botToken}` });
    expect(Buffer.from(await asApp.arrayBuffer()).equals(SMALL_PNG)).toBe(true);
    expect(asApp.headers.get('content-type')).toBe('image/png');
    expect((await read({})).status).toBe(302);
    expect((await read({ Authorization: 'Bearer xoxb-other' })).status).toBe(302);
  });

  it('can be read by the page, and cannot act as a page itself', async () => {
    const id = await uploaded('note.svg');
    const picture = await fetch(`${workspace.url}/page/slack-file?id=${id}`);
    expect(picture.status).toBe(200);
    expect(picture.headers.get('content-security-policy')).toContain('sandbox');
    expect(picture.headers.get('content-disposition')).toMatch(/^attachment/);
    const { file } = await client.files.info({ file: id });
    for (const url of [file?.url_private ?? '', file?.permalink ?? '']) {
      const query = new URLSearchParams({ url });
      expect((await fetch(`${workspace.url}/page/slack-file?${query}`)).status).toBe(200);
    }
    expect((await fetch(file?.permalink ?? '')).status).toBe(200);
    expect((await fetch(`${workspace.url}/page/slack-file?id=F0NOTHERE1`)).status).toBe(404);
  });

  it('that is deleted goes from its messages, and is gone', async () => {
    await client.files.uploadV2({ ...PICTURE, title: 'Only this', channel_id: HARBOUR });
    const { messages } = await client.conversations.history({ channel: HARBOUR, limit: 1 });
    const id = messages?.[0]?.files?.[0]?.id ?? '';
    const ben = workspace.as('Ben').in('#harbour-coffee');
    expect(ben.messages().at(-1)).toBe('[Only this]');
    await client.files.delete({ file: id });
    expect(ben.messages()).not.toContain('[Only this]');
    expect((await refusal(client.files.info({ file: id }))).error).toBe('file_deleted');
    expect((await refusal(client.files.delete({ file: id }))).error).toBe('file_deleted');
    expect((await fetch(`${workspace.url}/page/slack-file?id=${id}`)).status).toBe(404);
  });

  it.each([
    ['a channel that it is not in', { channel_id: 'C04RANDOM0' }, 'not_in_channel'],
    ['a channel that is not there', { channel_id: 'C0NOTHERE0' }, 'channel_not_found'],
    ['an archived channel', { channel_id: 'C06SUMMER0' }, 'posting_to_channel_denied'],
  ])('into %s is refused', async (_, where, error) => {
    expect((await refusal(client.files.uploadV2({ ...PICTURE, ...where }))).error).toBe(error);
  });

  it('takes its bytes once and as many as were announced, and is not complete before', async () => {
    const announce = () => client.files.getUploadURLExternal({ filename: 'a.txt', length: 3 });
    const { upload_url: url = '', file_id: id = '' } = await announce();
    const complete = () => client.files.completeUploadExternal({ files: [{ id }] });
    expect((await refusal(complete())).error).toBe('file_not_found');
    expect((await refusal(client.files.info({ file: id }))).error).toBe('file_not_found');
    const post = async (body: string) => (await fetch(url, { method: 'POST', body })).status;
    expect(await post('four')).toBe(400);
    expect(await post('two')).toBe(200);
    expect(await post('two')).toBe(404);
    await complete();
    expect((await refusal(complete())).error).toBe('file_not_found');
  });

  it('is refused when it is empty, too large, or its description is too long', async () => {
    const ask = (more: { length: number; alt_txt?: string }) =>
      refusal(client.apiCall('files.getUploadURLExternal', { filename: 'a.png', ...more }));
    expect((await ask({ length: 0 })).error).toBe('missing_argument');
    expect((await ask({ length: 2e9 })).error).toBe('file_upload_size_restricted');
    expect((await ask({ length: 3, alt_txt: 'x'.repeat(1001) })).error).toBe('alt_txt_too_large');
    await client.apiCall('files.getUploadURLExternal', {
      filename: 'a.png',
      length: 3,
      alt_txt: 'x'.repeat(1000),
    });
  });

  it('needs files:write, and reading needs files:read', async () => {
    const manifest = { ...TEST_MANIFEST, oauth_config: { scopes: { bot: ['files:write'] } } };
    const other = await startTestWorkspace({ manifest });
    const file = await uploadFile(other.client, PICTURE);
    expect((await refusal(other.client.files.info({ file: file.id }))).error).toBe('missing_scope');
    const headers = { Authorization: `Bearer ${other.workspace.botToken}` };
    expect((await fetch(file.url_private, { headers, redirect: 'manual' })).status).toBe(302);
    await other.workspace.close();
    const asApp = clientFor(workspace, workspace.appToken);
    expect((await refusal(asApp.files.info({ file: 'F0123456789' }))).error).toBe('not_allowed_token_type');
  });
});
