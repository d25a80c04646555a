import { renderAsync } from '@resvg/resvg-js';
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

test('a thumbnail is a smaller picture of the stated size, and a square shows the middle', async () => {
  const blueInTheMiddle =
    '<svg xmlns="http://www.w3.org/2000/svg" width="900" height="300"><rect width="900" height="300" fill="red"/>' +
    '<rect x="300" width="300" height="300" fill="blue"/></svg>';
  const id = await upload('wide.png', (await renderAsync(blueInTheMiddle)).asPng());
  const info = (await readInfo(id)) as Record<string, string>;
  const load = (address = '') =>
    fetch(address, { headers: { Authorization: `Bearer ${workspace.botToken}` } });
  const loadBytes = async (address?: string) => Buffer.from(await (await load(address)).arrayBuffer());
  for (const side of [360, 480, 720, 800]) {
    const size = { width: info[`thumb_${side}_w`], height: info[`thumb_${side}_h`] };
    expect(size).toEqual({ width: side, height: Math.floor(side / 3) });
    expect(readPictureSize(await loadBytes(info[`thumb_${side}`]))).toEqual(size);
  }
  const square = await loadBytes(info.thumb_64);
  expect(readPictureSize(square)).toEqual({ width: 64, height: 64 });
  const { pixels } = await renderAsync(
    `<svg xmlns="http://www.w3.org/2000/svg" width="64" height="64"><image href="data:image/png;base64,${square.toString('base64')}"/></svg>`,
  );
  expect([...pixels.subarray(0, 3)]).toEqual([0, 0, 255]);
  expect((await load(info.thumb_800?.replace('_800', '_1024'))).status).toBe(404);
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
