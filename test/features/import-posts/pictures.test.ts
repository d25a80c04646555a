import { beforeEach, describe, expect, test } from 'vitest';
import { csv } from '../../support/csv-files.ts';
import { buildJpeg } from '../../support/media-files.ts';
import { setUpBot } from '../../support/set-up-bot.ts';

const { running, setPolicy, startBot } = setUpBot();
const ana = () => running.workspace.as('Ana').inDirectMessage();

test('a table with pictures and an unknown column, which may have the texts, is refused', async () => {
  await startBot({ limits: false });
  const dm = await ana();
  const [columns, row] = [
    'Time,Platforms,Project,Media',
    '2026-12-01 09:00,Instagram,Harbour Coffee,https://example.com/a.jpg',
  ];
  await dm.drop(csv([`${columns},Our words`, `${row},A new roast`]));
  await dm.sees('I found no column for the texts. Name it “Text” in the first row.');
  await dm.sees('If the posts have no texts, add an empty column with this name.');
  await dm.drop(csv([columns, row]));
  await dm.sees('[Import 1 post]');
});

test('a table with many kinds of pictures shows what is wrong with each', async () => {
  await startBot({ limits: false });
  const dm = await ana();
  const pictures = ['heic', 'webp', 'svg', 'pdf'].map((ending) => `https://example.com/a.${ending}`);
  pictures.push('photo.jpg', 'http://localhost/a.jpg', 'https://drive.google.com/file/d/abc/view');
  const rows = pictures.map((link, day) => `2026-12-0${day + 1} 09:00,Instagram,Harbour Coffee,A,${link}`);
  await dm.drop(csv(['Time,Platforms,Project,Text,Media', ...rows]));
  await dm.sees('Row 8: This link opens a page on Google Drive');
  expect(dm.read()).not.toContain('more note');
});

describe('a picture in Slack', () => {
  beforeEach(async () => {
    await startBot({ limits: false, takesFiles: true });
    await setPolicy({ leadMinutes: 60 });
  });

  const COLUMNS = 'Time,Platforms,Project,Text,Media';
  const buildRow = (day: number, media: string) =>
    `2026-12-0${day} 09:00,Instagram,Harbour Coffee,Day ${day},${media}`;
  const PICTURE = { name: 'Wall 1.jpg', bytes: buildJpeg({ width: 1000, height: 1000 }) };
  const readEvents = () =>
    JSON.stringify(running.workspace.app.requests('events_api').map(({ payload }) => payload));
  /** The links of the file that was sent last: to its page in Slack, and to its bytes. */
  const readLinks = () =>
    ['permalink', 'url_private'].map(
      (name) => [...readEvents().matchAll(new RegExp(`"${name}":"([^"]+)"`, 'g'))].at(-1)?.[1] ?? '',
    );

  test('is taken from the message with the table, by its name', async () => {
    const dm = await ana();
    const rows = [buildRow(1, 'wall 1.JPG'), buildRow(2, 'Wall 1.jpg'), buildRow(3, 'roof.jpg')];
    await dm.drop([...csv([COLUMNS, ...rows]), PICTURE]);
    await dm.sees('[Import 2 posts]');
    await dm.sees(
      'Row 4: Media “roof.jpg”: I don’t have this file. Send it to me with the table in one direct',
    );
    await dm.press('Import 2 posts');
    await dm.sees('2 posts imported');
  });

  test('is taken by its links once, and kept until its post has gone out', async () => {
    await setPolicy({});
    const dm = await ana();
    await dm.drop([PICTURE]);
    await expect.poll(readLinks).not.toContain('');
    await dm.drop(csv([COLUMNS, ...readLinks().map((link, index) => buildRow(index + 1, link))]));
    await dm.sees('[Import 2 posts]');
    expect(dm.read()).not.toContain('Slack, and not the picture itself');
    const kept = await running.db.selectFrom('media_file').select('keep_until').execute();
    expect(kept.map(({ keep_until: until }) => until?.toISOString().slice(0, 10))).toEqual(['2026-12-09']);
    await dm.press('Import 2 posts');
    await expect.poll(() => running.service.created().length).toBe(2);
    const [first, second] = running.service.created();
    expect(first?.Media).toMatch(/\/media\/[\w-]{43}\.jpg$/);
    expect(second?.Media).toBe(first?.Media);
  });

  test('that is somebody else’s, and in no public channel, is refused by its link', async () => {
    const ben = await running.workspace.as('Ben').inDirectMessage();
    await ben.drop([PICTURE]);
    await expect.poll(readLinks).not.toContain('');
    const [link = ''] = readLinks();
    const dm = await ana();
    await dm.drop(csv([COLUMNS, buildRow(1, link), buildRow(2, link.replace(/F\w+(?=\/)/, 'F0UNKNOWN'))]));
    await dm.sees('2 rows need a correction:');
    await dm.sees('I can only take files from Slack that you’ve uploaded, or that are in a public channel.');
    await dm.sees('I can’t find this file.');
    expect(await running.db.selectFrom('media_file').select('id').execute()).toEqual([]);
  });
});
