import { sql } from 'kysely';
import { beforeEach, describe, expect, test } from 'vitest';
import { DAY_MS } from '../../../src/durations.ts';
import { NOW } from '../../support/bot.ts';
import { submitWith } from '../../support/form-steps.ts';
import { buildJpeg } from '../../support/media-files.ts';
import { readExportedCsv } from '../../support/read-exported-csv.ts';
import { csv, setUpImports } from '../../support/set-up-imports.ts';
import { askForForm, pressAndSee, pressForForm, seeAll } from '../../support/steps.ts';

const { running, setPolicy, startBot, ana, drop } = setUpImports();

const ROW_WITHOUT_PICTURE = '2026-12-01 09:00,LinkedIn,Harbour Coffee,A new roast,';

test('a table with pictures and an unknown column, which may have the texts, is refused', async () => {
  const [columns, row] = [
    'Time,Platforms,Project,Media',
    '2026-12-01 09:00,Instagram,Harbour Coffee,https://example.com/a.jpg',
  ];
  const dm = await drop(`${columns},Our words`, `${row},A new roast`);
  await dm.sees('I found no column for the texts. Name it “Text” in the first row.');
  await dm.sees('If the posts have no texts, add an empty column with this name.');
  await dm.drop(csv([columns, row]));
  await dm.sees('[Import 1 post]');
});

test.each(['Medien', 'Médias', 'メディア', 'Video'])(
  'an empty column “%s” has no pictures inside its cells, and pasted rows have none',
  async (name) => {
    const dm = await drop(`Time,Platforms,Project,Text,${name}`, ROW_WITHOUT_PICTURE);
    await dm.sees('[Import 1 post]');
    const form = await askForForm(dm, '/upnext import', 'Import posts', 'Choose a file or paste rows…');
    const pasted = ['Time,Platforms,Project,Text,Image', ROW_WITHOUT_PICTURE].join('\n');
    await submitWith(form, { 'Or paste rows': pasted });
    await dm.sees('pasted rows: 1 row');
    expect(dm.read()).not.toContain('No row has a picture:');
  },
);

test('a table whose pictures are inside its cells, so that the file has none, says so', async () => {
  const names = ['Image', 'Media'].map((name) => `Time,Platforms,Project,Text,${name}`);
  const row = ROW_WITHOUT_PICTURE;
  const dm = await drop(names[0] ?? '', row);
  await dm.sees('No row has a picture: a CSV file leaves out those inside cells.');
  await dm.drop(csv([names[1] ?? '', row], 'links.csv'));
  await dm.sees('links.csv: 1 row');
  expect(dm.read().split('No row has a picture:')).toHaveLength(2);
});

test('a table with many kinds of pictures shows what is wrong with each', async () => {
  const pictures = ['heic', 'webp', 'svg', 'pdf'].map((ending) => `https://example.com/a.${ending}`);
  pictures.push('photo.jpg', 'http://localhost/a.jpg', 'https://drive.google.com/file/d/abc/view');
  const rows = pictures.map((link, day) => `2026-12-0${day + 1} 09:00,Instagram,Harbour Coffee,A,${link}`);
  const dm = await drop('Time,Platforms,Project,Text,Media', ...rows);
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
  const ROOF = { name: 'roof.jpg', bytes: buildJpeg({ width: 1000, height: 800 }) };
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
      'Row 4: Media “roof.jpg”: I don’t have this file, or several have its name. Send me the table and files',
    );
    await dm.sees('For more files than Slack takes at once, import the rows in parts, or write links.');
    await pressAndSee(dm, 'Import 2 posts', '2 posts imported');
  });

  test('is given back by its name if it is damaged, so that a whole one can be sent with the corrected rows', async () => {
    const dm = await ana();
    const rows = [buildRow(1, 'wall 1.JPG'), buildRow(2, 'Fotos/roof')];
    const damaged = { ...ROOF, bytes: ROOF.bytes.subarray(0, 200) };
    await dm.drop([...csv([COLUMNS, ...rows]), PICTURE, damaged]);
    await dm.sees('Row 3: Media “Fotos/roof”: This file ends too early.');
    await pressAndSee(dm, 'Get the rows to correct', '[posts-to-correct.csv]');
    const { text: corrected } = await readExportedCsv(running);
    expect(corrected).toContain('Fotos/roof');
    expect(corrected).not.toContain('http');
    await dm.drop([{ name: 'corrected.csv', bytes: Buffer.from(corrected) }, ROOF]);
    await dm.sees('[Import 1 post]');
  });

  test('is known by its path, and with %20 for a space', async () => {
    const dm = await ana();
    const door = { ...ROOF, name: 'door.jpg', bytes: buildJpeg({ width: 1000, height: 900 }) };
    const paths = [
      'Fotos/Wall%201.jpg',
      'C:\\Bilder\\roof.jpg',
      'file:///C:/Bilder/door.jpg',
      'Fotos/x.jpg',
      'C:/x.jpg',
    ];
    const rows = paths.map((path, index) => buildRow(index + 1, path));
    await dm.drop([...csv([COLUMNS, ...rows]), PICTURE, ROOF, door]);
    await dm.sees('[Import 3 posts]');
    for (const [index, path] of paths.slice(3).entries())
      await dm.sees(`Row ${index + 5}: Media “${path}”: I don’t have this file, or several have its name.`);
    expect(dm.read()).not.toContain('on a computer');
    expect(await running.db.selectFrom('media_file').select('id').execute()).toHaveLength(3);
  });

  test('is known by its name without the ending, which some computers hide', async () => {
    const dm = await ana();
    const rows = [buildRow(1, 'wall 1'), buildRow(2, 'Fotos/roof'), buildRow(3, 'door_2')];
    const doors = ['door_2.jpg', 'Door_2.JPEG'].map((name) => ({ ...ROOF, name }));
    await dm.drop([...csv([COLUMNS, ...rows]), PICTURE, ROOF, ...doors]);
    await dm.sees('[Import 2 posts]');
    await dm.sees('Row 4: Media “door_2.jpg”: I don’t have this file, or several have its name.');
    expect(dm.read()).not.toContain('Files that no row names');
    expect(await running.db.selectFrom('media_file').select('id').execute()).toHaveLength(2);
  });

  test('has a space in its name, or Airtable’s link behind it', async () => {
    const dm = await ana();
    const link = '(https://v5.airtableusercontent.com/v3/u/1/abc)';
    const rows = [
      buildRow(1, `Wall 1.jpg ${link}`),
      buildRow(2, 'Bild 2.jpg'),
      buildRow(3, `my door.png ${link}`),
    ];
    const withoutEnding = buildRow(5, `IMG_1 ${link}`);
    const several = buildRow(4, `"roof.jpg ${link},Wall 1.jpg ${link}"`);
    const roofs = [ROOF, { ...ROOF, name: 'Bild 2.jpg' }, { ...ROOF, name: 'bild 2.jpg' }];
    const image = { ...ROOF, name: 'IMG_1.jpg' };
    await dm.drop([...csv([COLUMNS, ...rows, several, withoutEnding]), PICTURE, ...roofs, image]);
    await dm.sees('[Import 2 posts]');
    await dm.sees('Row 3: Media “Bild 2.jpg”: I don’t have this file, or several have its name.');
    await dm.sees('Row 4: Media “my door.png”: I don’t have this file, or several have its name.');
    await dm.sees('Row 5: Media “roof.jpg,Wall 1.jpg”: A post has one picture or video.');
    expect(dm.read()).not.toContain('Files that no row names');
    expect(await running.db.selectFrom('media_file').select('id').execute()).toHaveLength(2);
  });

  test('isn’t guessed if Airtable has several with its name', async () => {
    const dm = await ana();
    const build = (day: number, name: string, id: string) =>
      buildRow(day, `${name} (https://v5.airtableusercontent.com/v3/u/${id})`);
    const rows = [build(1, 'roof.jpg', '1/abc'), build(2, 'roof.jpg', '2/abc')];
    const same = [build(3, 'Wall 1.jpg', '3/abc'), build(4, 'Wall 1.jpg', '3/abc')];
    await dm.drop([...csv([COLUMNS, ...rows, ...same]), PICTURE, ROOF]);
    await dm.sees('[Import 2 posts]');
    await dm.sees('Rows 2 and 3: Media “roof.jpg”: I don’t have this file, or several have its name.');
  });

  test('that no row names is told, also after the settings were answered', async () => {
    const dm = await ana();
    const files = [...csv(['Time,Text,Media', '2026-12-01 09:00,A,wall 1.jpg']), PICTURE, ROOF];
    await dm.drop(files);
    const form = await pressForForm(dm, 'Choose the platforms…', 'Import settings');
    await submitWith(form, { Platforms: ['LinkedIn'] });
    await seeAll(dm, '[Import 1 post]', 'Files that no row names: roof.jpg.');
    await dm.drop([
      ...csv([COLUMNS, buildRow(2, '"wall 1.jpg, Door"')], 'b.csv'),
      PICTURE,
      { ...ROOF, name: 'door.jpg' },
    ]);
    await dm.sees('This isn’t a link to a picture or video.');
    expect(dm.read()).not.toMatch(/no row names: (?:wall|door)/i);
  });

  test.each(['"wall 1.jpg\nroof.jpg"', 'Wall 1.jpg and roof.jpg', '“wall 1.jpg” “roof.jpg”'])(
    'that the cell %j names isn’t told',
    async (cell) => {
      const dm = await ana();
      const image = { ...ROOF, name: 'image.jpg' };
      await dm.drop([...csv([COLUMNS.replace('Media', 'Image'), buildRow(1, cell)]), PICTURE, ROOF, image]);
      await dm.sees('Files that no row names: image.jpg.');
    },
  );

  test('isn’t guessed if paths to different files end in its name', async () => {
    const dm = await ana();
    const doors = ['door.jpg', 'door.png'].map((name) => ({ ...ROOF, name }));
    const paths = ['Monday/roof.jpg', 'Tuesday/roof', 'Monday/wall 1.jpg', 'a/door.jpg', 'b/door.png'];
    const rows = paths.map((path, index) => buildRow(index + 1, path));
    await dm.drop([...csv([COLUMNS, ...rows]), PICTURE, ROOF, ...doors]);
    await dm.sees('[Import 4 posts]');
    await dm.sees('Row 2: Media “Monday/roof.jpg”: I don’t have this file, or several have its name.');
    await dm.sees('Row 3: This isn’t a link. If it isn’t an ID of the service,');
  });

  test('that is sent again with its table leaves its post out, under another name too', async () => {
    const dm = await ana();
    const rows = [buildRow(1, 'wall 1.jpg'), buildRow(2, 'roof.jpg')];
    await dm.drop([...csv([COLUMNS, ...rows]), PICTURE, ROOF]);
    await pressAndSee(dm, 'Import 2 posts', '2 posts imported');
    await dm.drop([...csv([COLUMNS, ...rows]), PICTURE, ROOF]);
    await seeAll(dm, '2 rows left out: the same post exists already.', 'No row can be imported.');
    const renamed = [buildRow(1, 'new.jpg'), buildRow(1, 'copy.jpg'), buildRow(2, 'other.jpg')];
    const copies = ['new.jpg', 'copy.jpg'].map((name) => ({ ...PICTURE, name }));
    await dm.drop([...csv([COLUMNS, ...renamed], 'new.csv'), ...copies, { ...PICTURE, name: 'other.jpg' }]);
    await seeAll(dm, '[Import 1 post]', 'Row 4: Another post goes out on Instagram at the same time.');
  });

  test('isn’t guessed if several have its name, or no name at all', async () => {
    const dm = await ana();
    const pasted = { name: 'image.png', bytes: PICTURE.bytes };
    const table = csv([COLUMNS, buildRow(1, 'image.png'), buildRow(2, 'Wall 1.jpg')]);
    await dm.drop([...table, pasted, PICTURE, { ...pasted, name: 'Image.png' }]);
    await dm.sees('[Import 1 post]');
    await dm.sees('Row 2: Media “image.png”: I don’t have this file, or several have its name.');
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
    await (await running.workspace.as('Ben').inDirectMessage()).drop([PICTURE]);
    await expect.poll(readLinks).not.toContain('');
    const [link = ''] = readLinks();
    const dm = await drop(COLUMNS, buildRow(1, link), buildRow(2, link.replace(/F\w+(?=\/)/, 'F0UNKNOWN')));
    await dm.sees('2 rows need a correction:');
    await dm.sees('I can only take files from Slack that you’ve uploaded, or that are in a public channel.');
    await dm.sees('I can’t find this file.');
    expect(await running.db.selectFrom('media_file').select('id').execute()).toEqual([]);
  });

  test('is asked for in Slack once, also if its rows are checked again', async () => {
    const dm = await ana();
    await dm.drop([PICTURE]);
    await expect.poll(readLinks).not.toContain('');
    const [link = ''] = readLinks();
    await dm.drop(csv([COLUMNS, buildRow(1, link)]));
    await dm.sees('[Import 1 post]');
    const countReads = () => running.workspace.app.calls('files.info').length;
    const reads = countReads();
    const listImports = () =>
      running.db.selectFrom('post_import').select('state').orderBy('created_at').execute();
    await (await pressForForm(dm, 'Change settings…', 'Import settings')).submit();
    await expect
      .poll(async () => (await listImports()).map(({ state }) => state))
      .toEqual(['dropped', 'checked']);
    await dm.sees('[Import 1 post]');
    expect(countReads()).toBe(reads);
  });

  test('waits until Slack, which others have kept busy, answers again', async () => {
    const dm = await ana();
    await dm.drop([PICTURE]);
    await expect.poll(readLinks).not.toContain('');
    const [link = ''] = readLinks();
    // Each call of files.info is repeated once after such a short wait, so the second refusal reaches the check.
    const busy = { fault: 'rate-limited', method: 'files.info', retryAfter: 1, times: 2 } as const;
    running.workspace.faults.set({ webApi: [busy] });
    const form = await askForForm(dm, '/upnext import', 'Import posts', 'Choose a file or paste rows…');
    await submitWith(form, { 'Or paste rows': [COLUMNS, buildRow(1, link)].join('\n') });
    await dm.sees('[Import 1 post]');
    expect(running.workspace.faults.counts().faults['rate-limited']).toBe(2);
  });

  test('of a row that is left out isn’t taken', async () => {
    const dm = await ana();
    const rows = [`${buildRow(1, 'wall 1.jpg')},Published`, `${buildRow(2, 'roof.jpg')},Scheduled`];
    await dm.drop([...csv([`${COLUMNS},Status`, ...rows]), PICTURE, ROOF]);
    await dm.sees('[Import 1 post]');
    expect(await running.db.selectFrom('media_file').select('id').execute()).toHaveLength(1);
  });

  test('is kept for 60 days until its row is imported, whenever its post goes out', async () => {
    const dm = await ana();
    const far = buildRow(1, 'wall 1.jpg').replace('2026-12', '2027-06');
    const draft = buildRow(1, 'roof.jpg');
    const rows = [`${far},Scheduled`, `${draft},Draft`];
    await dm.drop([...csv([`${COLUMNS},Status`, ...rows]), PICTURE, ROOF]);
    await dm.sees('[Import 2 posts]');
    const kept = await running.db.selectFrom('media_file').select('keep_until').execute();
    const days = kept.map(({ keep_until: until }) => Math.round((Number(until) - NOW.getTime()) / DAY_MS));
    expect(days).toEqual([60, 60]);
  });

  test('that can’t be stored leaves the other rows as they are', async () => {
    const dm = await ana();
    await sql`alter table media_chunk add constraint full_disk check (false)`.execute(running.db);
    try {
      const noMedia = buildRow(2, '').replace('Instagram', 'LinkedIn');
      await dm.drop([...csv([COLUMNS, buildRow(1, 'wall 1.jpg'), noMedia]), PICTURE]);
      await seeAll(dm, '[Import 1 post]', 'I couldn’t store this file. Try again.');
    } finally {
      await sql`alter table media_chunk drop constraint full_disk`.execute(running.db);
    }
  });
});

test('60 new pictures in Slack are taken within its limits', async () => {
  await startBot({ takesFiles: true });
  const dm = await ana();
  const names = Array.from({ length: 60 }, (_, index) => `${index}.jpg`);
  const rows = names.map(
    (name, index) =>
      `2026-12-01 09:${String(index).padStart(2, '0')},Instagram,Harbour Coffee,No ${name},${name}`,
  );
  const pictures = names.map((name, index) => ({
    ...{ name, bytes: buildJpeg({ width: 1000, height: 1000 - index }) },
  }));
  await dm.drop([...csv(['Time,Platforms,Project,Text,Media', ...rows]), ...pictures]);
  await dm.sees('[Import 60 posts]');
});

test('where Upnext takes no files, a name with a space isn’t taken for a link with one', async () => {
  const row = '2026-12-01 09:00,Instagram,Harbour Coffee,A,Wall 1.jpg';
  const dm = await drop('Time,Platforms,Project,Text,Media', row);
  await dm.sees('Row 2: Media “Wall 1.jpg”: The service can’t open files on a computer.');
});

test.each(['wall.jpg', 'IMG_1'])(
  'where Upnext takes no files, “%s” of Airtable is a problem',
  async (name) => {
    const row = `2026-12-01 09:00,Instagram,Harbour Coffee,A,${name} (https://v5.airtableusercontent.com/v3/u/1/abc)`;
    const dm = await drop('Time,Platforms,Project,Text,Media', row);
    await dm.sees('No row can be imported.');
    await dm.sees('Enter a link to an image or video');
  },
);

test('where Upnext takes no files, the name of one is no link to Slack', async () => {
  const dm = await ana();
  const row = '2026-12-01 09:00,Instagram,Harbour Coffee,A,wall.jpg';
  const picture = { name: 'wall.jpg', bytes: buildJpeg({ width: 1000, height: 1000 }) };
  await dm.drop([...csv(['Time,Platforms,Project,Text,Media', row]), picture]);
  await dm.sees('[Import 1 post]');
  expect(dm.read()).not.toContain('Slack, and not the picture itself');
});
