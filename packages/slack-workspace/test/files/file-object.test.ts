import { expect, test } from 'vitest';
import { drawAvatar } from '../../src/state/avatar.ts';
import { readPictureSize } from '../../src/state/files.ts';
import { openWorkspace } from '../support/fixtures.ts';

const HARBOUR = 'C02HARBOUR';

const { workspace, client } = await openWorkspace({ fileProcessingMs: 0 });

/** Uploads a file into #harbour-coffee, and returns its id. */
async function upload(
  filename: string,
  file: Buffer,
  snippet: { snippet_type?: string } = {},
): Promise<string> {
  const { upload_url, file_id = '' } = await client.files.getUploadURLExternal({
    filename,
    length: file.length,
    ...snippet,
  });
  await fetch(upload_url ?? '', { method: 'POST', body: new Uint8Array(file) });
  await client.files.completeUploadExternal({
    files: [{ id: file_id }],
    channel_id: HARBOUR,
    initial_comment: `Here is ${filename}`,
  });
  return file_id;
}

const readInfo = async (file: string) => (await client.files.info({ file })).file;

test('a picture has thumbnails up to its own size, which only the app can load', async () => {
  const png = drawAvatar({ id: 'U1', color: '#102030' }, 740);
  const info = (await readInfo(await upload('roast.png', png))) as Record<string, string>;
  const thumbs = Object.keys(info).filter((key) => /^thumb_\d+$/.test(key));
  expect(thumbs).toEqual(['64', '80', '160', '360', '480', '720'].map((size) => `thumb_${size}`));
  expect(info).toMatchObject({ thumb_360_w: 360, thumb_360_h: 360, original_w: 740, original_h: 740 });
  const response = await fetch(info.thumb_360 ?? '', { redirect: 'manual' });
  expect(response.status).toBe(302);
});

test('the address of a thumbnail returns the original picture', async () => {
  const png = drawAvatar({ id: 'U1', color: '#102030' }, 900);
  const info = (await readInfo(await upload('wide.png', png))) as Record<string, string>;
  const headers = { Authorization: `Bearer ${workspace.botToken}` };
  const response = await fetch(info.thumb_360 ?? '', { headers });
  expect(Buffer.from(await response.arrayBuffer()).equals(png)).toBe(true);
  const missing = await fetch(info.thumb_800?.replace('_800', '_1024') ?? '', { headers });
  expect(missing.status).toBe(404);
});

test('a file that is no picture has no thumbnails', async () => {
  const { url_private = '' } = (await readInfo(await upload('menu.pdf', Buffer.from('%PDF-1.7')))) ?? {};
  const headers = { Authorization: `Bearer ${workspace.botToken}` };
  expect((await fetch(url_private, { headers })).status).toBe(200);
  const address = url_private.replace('/files-pri/', '/files-tmb/');
  for (const thumbnail of [address, address.replace('.pdf', '_64.pdf')])
    expect((await fetch(thumbnail, { headers })).status).toBe(404);
});

test('a small picture is not enlarged', async () => {
  const png = drawAvatar({ id: 'U1', color: '#102030' }, 24);
  const info = await readInfo(await upload('small.png', png));
  expect(info).toMatchObject({ thumb_360_w: 24, thumb_360_h: 24 });
  expect(info).not.toHaveProperty('thumb_480');
});

test('files.info lists the channels of a file, with the replies there', async () => {
  const id = await upload('list.csv', Buffer.from('a,b'));
  await workspace.as('Ben').in('#harbour-coffee').reply('Here is list.csv', 'Thanks');
  const info = await readInfo(id);
  expect(info?.channels).toEqual([HARBOUR]);
  expect(info?.shares?.public?.[HARBOUR]).toEqual([
    {
      reply_users: ['U02BENOKAF'],
      reply_users_count: 1,
      reply_count: 1,
      ts: expect.stringMatching(/^\d+\.\d{6}$/),
      latest_reply: expect.stringMatching(/^\d+\.\d{6}$/),
      channel_name: 'harbour-coffee',
      team_id: workspace.team.id,
      share_user_id: expect.stringMatching(/^U/),
      source: 'UNKNOWN',
    },
  ]);
  const { messages } = await client.conversations.history({ channel: HARBOUR, limit: 1 });
  expect(messages?.[0]?.files?.[0]).not.toHaveProperty('shares');
});

test('a snippet has the type of its upload, and a preview of five lines', async () => {
  const code = ['a < b', '2', '3', '4', '5', '6', '7'].join('\n');
  const info = await readInfo(await upload('notes', Buffer.from(code), { snippet_type: 'python' }));
  expect(info).toMatchObject({
    mode: 'snippet',
    editable: true,
    mimetype: 'text/plain',
    filetype: 'python',
    pretty_type: 'Python',
    preview: 'a < b\n2\n3\n4\n5',
    preview_highlight: expect.stringContaining('<pre>a &lt; b</pre>'),
    lines: 7,
    lines_more: 2,
    preview_is_truncated: true,
    edit_link: `${info?.permalink}/edit`,
  });
});

test('the size of a JPEG and of a GIF is read from the header', () => {
  const jpeg = Buffer.from(
    'ffd8ffe000104a46494600010100000100010000ffc0001108001000200301220002110103110100',
    'hex',
  );
  expect(readPictureSize(jpeg)).toEqual({ width: 32, height: 16 });
  const gif = Buffer.concat([Buffer.from('GIF89a'), Buffer.from([3, 0, 2, 0]), Buffer.alloc(20)]);
  expect(readPictureSize(gif)).toEqual({ width: 3, height: 2 });
  expect(readPictureSize(Buffer.from('Only text, nothing else in it'))).toBeUndefined();
});
