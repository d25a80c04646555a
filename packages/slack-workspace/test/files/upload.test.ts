import { describe, expect, it } from 'vitest';
import { expectError, openWorkspace } from '../support/fixtures.ts';
import { SMALL_PNG } from '../support/small-png.ts';
import { uploadFile } from '../support/upload-file.ts';
import { withScopes } from '../support/workspace.ts';

const HARBOUR = 'C02HARBOUR';
const PICTURE = { file: SMALL_PNG, filename: 'roast.png', title: 'The new roast' };

const { workspace, client } = await openWorkspace();

describe('an upload with uploadV2 of Slack’s SDK', () => {
  /** Uploads a file without sharing it, waits until Slack has processed the file, and returns its id. */
  async function uploadUnshared(name = 'roast.png'): Promise<string> {
    const { id } = await uploadFile(client, { ...PICTURE, filename: name });
    workspace.clock.advance(1000);
    return id;
  }

  it('an upload into a channel is a message with the file', async () => {
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

  it('an upload of several files is one message, in a thread if requested', async () => {
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

  it('an upload without a channel is private, and its file type is known a moment later', async () => {
    const { id } = await uploadFile(client, PICTURE);
    expect((await client.files.info({ file: id })).file).toMatchObject({ mimetype: '', filetype: '' });
    workspace.clock.advance(250);
    expect((await client.files.info({ file: id })).file).toMatchObject({
      mimetype: 'image/png',
      filetype: 'png',
      is_public: false,
    });
  });

  it('reading an uploaded file without the app’s token leads to Slack’s sign-in', async () => {
    const { file } = await client.files.info({ file: await uploadUnshared() });
    const readFile = (headers: Record<string, string>) =>
      fetch(file?.url_private ?? '', { headers, redirect: 'manual' });
    const asApp = await readFile({ Authorization: `Bearer ${workspace.botToken}` });
    expect(Buffer.from(await asApp.arrayBuffer()).equals(SMALL_PNG)).toBe(true);
    expect(asApp.headers.get('content-type')).toBe('image/png');
    expect((await readFile({})).status).toBe(302);
    expect((await readFile({ Authorization: 'Bearer xoxb-other' })).status).toBe(302);
  });

  it('the page can show an uploaded file, and the file cannot act as a page itself', async () => {
    const id = await uploadUnshared('note.svg');
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

  it('a deleted file disappears from its messages and no longer exists', async () => {
    await client.files.uploadV2({ ...PICTURE, title: 'Only this', channel_id: HARBOUR });
    const { messages } = await client.conversations.history({ channel: HARBOUR, limit: 1 });
    const id = messages?.[0]?.files?.[0]?.id ?? '';
    const ben = workspace.as('Ben').in('#harbour-coffee');
    expect(ben.messages().at(-1)).toBe('[Only this]');
    await client.files.delete({ file: id });
    expect(ben.messages()).not.toContain('[Only this]');
    await expectError(client.files.info({ file: id }), 'file_deleted');
    await expectError(client.files.delete({ file: id }), 'file_deleted');
    expect((await fetch(`${workspace.url}/page/slack-file?id=${id}`)).status).toBe(404);
  });

  it('an upload has exactly the announced size, is uploaded once, and can be completed only afterwards', async () => {
    const announceUpload = () => client.files.getUploadURLExternal({ filename: 'a.txt', length: 3 });
    const { upload_url: url = '', file_id: id = '' } = await announceUpload();
    const complete = () => client.files.completeUploadExternal({ files: [{ id }] });
    await expectError(complete(), 'file_not_found');
    await expectError(client.files.info({ file: id }), 'file_not_found');
    const uploadBytes = async (body: string) => (await fetch(url, { method: 'POST', body })).status;
    expect(await uploadBytes('four')).toBe(400);
    expect(await uploadBytes('two')).toBe(200);
    expect(await uploadBytes('two')).toBe(404);
    await complete();
    await expectError(complete(), 'file_not_found');
  });

  it('uploading needs files:write, and reading needs files:read', async () => {
    const other = await openWorkspace({ manifest: withScopes('files:write') });
    const file = await uploadFile(other.client, PICTURE);
    await expectError(other.client.files.info({ file: file.id }), 'missing_scope');
    const headers = { Authorization: `Bearer ${other.workspace.botToken}` };
    expect((await fetch(file.url_private, { headers, redirect: 'manual' })).status).toBe(302);
  });
});
