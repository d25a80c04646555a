import { beforeEach, describe, expect, test } from 'vitest';
import { POST_FIELDS } from '../../../src/api/post-fields.ts';
import { noteUsedOrder } from '../../../src/preferences/date-order.ts';
import { NOW } from '../../support/bot.ts';
import { expectParts, submitWith } from '../../support/form-steps.ts';
import { changeHeldPosts } from '../../support/hold-posts.ts';
import { readExportedCsv } from '../../support/read-exported-csv.ts';
import { listProjects } from '../../support/scripted-service.ts';
import { failSlack } from '../../support/set-up-bot.ts';
import { csv, MONTH, setUpImports } from '../../support/set-up-imports.ts';
import {
  ask,
  askAndPress,
  chooseAndSee,
  confirmAndSee,
  pressAndSee,
  pressForForm,
  seeAll,
} from '../../support/steps.ts';

const { running, setPolicy, startBot, ana, drop, listHeld } = setUpImports();

describe('a file in a direct message', () => {
  test('is checked first, and one press imports a month of posts', async () => {
    const dm = await drop('Time,Platforms,Project,Text', ...MONTH);
    await dm.sees('posts.csv: 31 rows. Nothing is imported yet.');
    await seeAll(dm, '31 posts for Harbour Coffee, times in Lisbon:', '• 30 Nov – 6 Dec 2026: 6 posts');
    await dm.sees('First: Tue 1 Dec, 09:00 (Lisbon), “Post 1”');
    expect(await listHeld()).toEqual([]);
    await pressAndSee(dm, 'Import 31 posts', '31 posts imported from posts.csv for Harbour Coffee.');
    await dm.sees('See them with /upnext posts scheduled or draft.');
    await ask(dm, '/upnext posts scheduled or draft', 'Harbour Coffee: 31 scheduled posts');
    const held = await listHeld();
    expect(held).toHaveLength(31);
    expect(held[0]).toBe('held 2026-12-01T09:00');
    expect(running.service.created()).toEqual([]);
    await ask(dm, '/upnext audit', '@Ana Ferreira imported posts');
  });

  test('says what becomes of posts and of drafts, and that the import can be undone', async () => {
    const dm = await ana();
    const head = 'Time,Platforms,Status,Project,Text';
    const post = '2026-12-01 09:00,X,,Harbour Coffee,Post';
    const draft = '2026-12-02 09:00,X,Draft,Harbour Coffee,Not yet';
    const check = async (...rows: string[]) => {
      const count = dm.messages().length;
      await dm.drop(csv([head, ...rows]));
      const readAnswer = () => dm.messages().slice(count).at(-1) ?? '';
      await expect.poll(readAnswer).toContain('Nothing is imported yet.');
      return readAnswer();
    };
    const mixed = await check(post, draft);
    expect(mixed).toContain('Each post: Editable until 1 hour before it goes out.');
    expect(mixed).toContain('Each draft: It isn’t sent until somebody schedules it.');
    expect(mixed).toContain('You can undo the whole import until its posts go to the scheduling service.');

    await setPolicy({});
    const drafts = await check(draft);
    expect(drafts).toContain('Each draft: It isn’t sent until somebody schedules it.');
    expect(drafts).not.toMatch(/Each post|The scheduling service has it|You can’t edit/);
    expect(drafts).toContain('You can undo the whole import');

    running.service.on('GET /projects', listProjects('Harbour Coffee', 'Night Market Books'));
    await setPolicy({ leadMinutes: 60 }, 'p2');
    const both = await check(post, post.replace('Harbour Coffee', 'Night Market Books'));
    expect(both).toContain('Posts for Harbour Coffee: The scheduling service publishes it at its time.');
    expect(both).toContain('Posts for Night Market Books: Editable until 1 hour before it goes out.');
    expect(both).toContain('You can undo only what hasn’t gone to the scheduling service yet.');

    const posts = await check(post);
    expect(posts).toContain('Each post: The scheduling service publishes it at its time. You can’t edit');
    expect(posts).not.toMatch(/Each draft|undo/);
  });

  test('that lists series is refused, and one that only says how often posts repeat isn’t', async () => {
    const dm = await drop(
      'State,Repeats,Next,Time zone,Project,Platforms,Text,Author,Id',
      'running,every Monday at 09:00 (Lisbon),2026-11-23 09:00:00,Europe/Lisbon,Harbour Coffee,X,Hello,U1,s1',
    );
    await dm.sees('This file lists series, and an import makes single posts.');
    const row = '2026-12-01 09:00,X,Harbour Coffee,A new roast,no';
    await dm.drop(csv(['Time,Platforms,Project,Text,Repeats', row]));
    await seeAll(dm, '1 post for Harbour Coffee', 'Columns I don’t use: Repeats.');
  });

  test('is undone with one press and its confirmation', async () => {
    const dm = await drop('Time,Platforms,Project,Text', ...MONTH.slice(0, 3));
    await dm.press('Import 3 posts');
    await confirmAndSee(dm, 'Undo import…', 'The import of posts.csv is undone: 3 posts cancelled.');
    // The posts of a batch that was in progress at a stop aren't counted as imported.
    await running.db.updateTable('post_import').set({ imported: 0 }).execute();
    await ask(dm, '/upnext import', 'posts.csv: undone, 3 of 3');
    expect(new Set((await listHeld()).map((row) => row.split(' ')[0]))).toEqual(new Set(['cancelled']));
  });

  test('doesn’t offer to undo what the service gets at once', async () => {
    await setPolicy({});
    const dm = await drop('Time,Platforms,Project,Text', ...MONTH.slice(0, 3));
    await pressAndSee(dm, 'Import 3 posts', '3 posts imported from posts.csv for Harbour Coffee.');
    expect(dm.read()).not.toContain('Undo import…');
  });

  test('can’t be undone once the service has its posts, and says so', async () => {
    const dm = await drop('Time,Platforms,Project,Text', ...MONTH.slice(0, 3));
    await pressAndSee(dm, 'Import 3 posts', '[Undo import…]');
    await changeHeldPosts(running, { hand_over_at: NOW, next_at: NOW });
    await running.bot.heldPosts.handleClockChange();
    await expect.poll(() => running.service.created()).toHaveLength(3);
    await dm.press('Undo import…', { dialog: 'confirm' });
    await dm.sees('The import of posts.csv can’t be undone any more: 0 posts cancelled.');
    await dm.sees('3 posts have gone to the scheduling service, or are on the way to it.');
    await ask(dm, '/upnext audit', '@Ana Ferreira asked to undo an import');
  });

  test('that is gone was neither imported nor discarded for the audit log', async () => {
    const dm = await drop('Time,Platforms,Project,Text', '2026-12-01 09:00,X,Harbour Coffee,Good');
    await dm.sees('[Import 1 post]');
    await running.db.deleteFrom('post_import').execute();
    await pressAndSee(dm, 'Import 1 post', 'This import isn’t yours, or it’s too old.');
    await ask(dm, '/upnext audit import', 'Audit log');
    expect(dm.messages().at(-1)).toMatch(/Today\n.*Ana Ferreira tried to import posts, but nothing was done/);
  });

  test('has at most three buttons, and the others behind ⋯', async () => {
    const dm = await drop(
      'Time,Platforms,Project,Text',
      '2026-12-01 09:00,X,Harbour Coffee,Good',
      'soonish,X,Harbour Coffee,Bad',
    );
    await dm.sees('[Import 1 post] [Get the rows to correct] [Change settings…] [More options]');
    await chooseAndSee(dm, 'More options', 'Discard', 'posts.csv is discarded.');
  });

  test('brings a value that it doesn’t know back as it was, so that it is never imported without it', async () => {
    const dm = await drop(
      'Time,Time zone,Networks,Status,Project,Text',
      '2026-12-01 09:00,Mars,X,,Harbour Coffee,A',
      '2026-12-01 10:00,,X,On hold,Harbour Coffee,B',
      '2026-12-01 11:00,,"X, Mastodon",,Harbour Coffee,C',
      '2026-12-01 12:00,,X,Published,Harbour Coffee,Out already',
    );
    await dm.sees('3 rows need a correction:');
    await pressAndSee(dm, 'Get the rows to correct', '[posts-to-correct.csv]');
    const { text } = await readExportedCsv(running);
    expectParts(text, '2026-12-01 09:00,Mars,Harbour Coffee,X,,A', 'Harbour Coffee,X,On hold,B');
    expect(text).toContain('Harbour Coffee,"X, Mastodon",,C');
    // Only rows that need a correction come back.
    expect(text).not.toContain('Out already');
    await dm.drop(csv([text]));
    await expect.poll(() => dm.read().split('3 rows need a correction:').length).toBe(3);
  });

  test('names a problem that many rows have once, with the others below it', async () => {
    const rows = Array.from(
      { length: 30 },
      (_, minute) => `2026-12-01 09:${minute + 10},Friendster,Harbour Coffee,No ${minute}`,
    );
    const dm = await drop(
      ...['Time,Platforms,Project,Text', ...rows, 'soonish,X,Harbour Coffee,A'],
      ...['soonish,X,Harbour Coffee,B', '2026-12-01 08:00,Mastodon,Harbour Coffee,C'],
    );
    await dm.sees('33 rows need a correction:\n• 30 rows: Platforms “Friendster”: ');
    await dm.sees('• Rows 32 and 33: Time: I don’t understand “soonish”.');
    await dm.sees('• Row 34: Platforms “Mastodon”: ');
    expect(dm.read()).not.toContain('all in the file that the button sends');
  });

  test('with a text instead of TRUE or FALSE brings it back in its column, where it can be corrected', async () => {
    const dm = await drop(
      'Date,Time,Project,Text,Twitter/X,Facebook',
      '2026-12-01,09:00,Harbour Coffee,We open at nine,TRUE,"Come by, we open at nine"',
      'soonish,09:00,Harbour Coffee,Another,TRUE,TRUE',
    );
    const problem =
      'Facebook “Come by, we open at nine”: Write TRUE or FALSE here, and the text in a column “Text for Facebook”.';
    await dm.sees(`• Row 2: ${problem}`);
    await pressAndSee(dm, 'Get the rows to correct', '[posts-to-correct.csv]');
    const { text } = await readExportedCsv(running);
    expect(text).toContain('Platforms,Status,Text,Media,Alt text,Facebook,Row,Problem');
    expect(text).toContain(',X,,We open at nine,,,"Come by, we open at nine",2,');
    expect(text).toContain(',X and Facebook,,Another,,,,3,');
    // Unchanged, it has the same problem again.
    await dm.drop(csv([text], 'again.csv'));
    await dm.sees('again.csv: 2 rows. Nothing is imported yet.');
    await dm.sees(`2 rows need a correction:\n• Row 2: ${problem}`);
    const corrected = text
      .replace('Alt text,Facebook', 'Alt text,Facebook,Text for Facebook')
      .replace(/"Come by, we open at nine",2,.*/, 'TRUE,"Come by, we open at nine",2,');
    await dm.drop(csv([corrected], 'corrected.csv'));
    await pressAndSee(dm, 'Import 1 post', '1 post imported');
  });

  test('has a text with a comma and without quotation marks, which is never imported without its end', async () => {
    const dm = await drop(
      'Time,Platforms,Project,Text',
      '2026-12-01 09:00,X,Harbour Coffee,Hello, world',
      '2026-12-02 09:00,X,Harbour Coffee,A,,',
    );
    const problem =
      '“world”: The row has more cells than the first row. Put a text with commas or semicolons in quotation marks.';
    await dm.sees(`1 row needs a correction:\n• Row 2: ${problem}`);
    await pressAndSee(dm, 'Get the rows to correct', '[posts-to-correct.csv]');
    const { text } = await readExportedCsv(running);
    await dm.drop(csv([text], 'again.csv'));
    await dm.sees('again.csv: 1 row. Nothing is imported yet.\nNo row can be imported.');
    await pressAndSee(dm, 'Import 1 post', '1 post imported from posts.csv');
  });

  test('has the end of a text where a link to a picture belongs, which comes back for a correction', async () => {
    const dm = await drop(
      'Time,Platforms,Project,Text,Media',
      '2026-12-01 09:00,Instagram,Harbour Coffee,Big sale, today!',
      '2026-12-01 09:00,X,Harbour Coffee,Big sale, today only',
      '2026-12-02 09:00,X,Harbour Coffee,A,4711',
    );
    const advice =
      'This isn’t a link to a picture or video. If it belongs to the text, put the whole text in quotation marks.';
    await dm.sees(
      `2 rows need a correction:\n• Row 2: Media “today!”: ${advice}\n• Row 3: Media “today only”: ${advice}`,
    );
    await pressAndSee(dm, 'Get the rows to correct', '[posts-to-correct.csv]');
    expect((await readExportedCsv(running)).text).toContain(',Big sale,today!,,2,');
    await pressAndSee(dm, 'Import 1 post', '1 post imported');
  });

  test('has words where a link belongs, which come back in their column for a correction', async () => {
    const columns = 'Time,Platforms,Project,Text,Link';
    const dm = await drop(
      columns,
      '2026-12-01 09:00,X,Harbour Coffee,A new roast,None',
      '2026-12-02 09:00,X,Harbour Coffee,Another,-',
    );
    await dm.sees(
      '1 row needs a correction:\n• Row 2: Link “None”: This isn’t a link. If it belongs to the text, write it there.',
    );
    await pressAndSee(dm, 'Get the rows to correct', '[posts-to-correct.csv]');
    const { text } = await readExportedCsv(running);
    expectParts(text, 'Text,Media,Alt text,Link,Row,Problem', ',A new roast,,,None,2,');
    await dm.drop(csv([text], 'again.csv'));
    await dm.sees('again.csv: 1 row. Nothing is imported yet.\nNo row can be imported.');
  });

  test('is checked beside another table of the same message', async () => {
    const dm = await ana();
    const build = (day: number) =>
      csv(['Time,Platforms,Project,Text', `2026-12-0${day} 09:00,X,Harbour Coffee,A`], `part-${day}.csv`);
    await dm.drop([...build(1), { name: 'notes.txt', bytes: new Uint8Array([65]) }, ...build(2)]);
    await dm.sees('part-1.csv: 1 row. Nothing is imported yet.');
    await dm.sees('part-2.csv: 1 row. Nothing is imported yet.');
    expect(dm.read()).not.toContain('I found no column');
  });

  test('has a description of its picture, which the post keeps', async () => {
    // The exported file comes after the file with the rows to correct.
    await startBot();
    await setPolicy({ leadMinutes: 60 });
    const dm = await drop(
      'Time,Platforms,Project,Text,Image URL,Alt Text',
      '2026-12-01 09:00,X,Harbour Coffee,A,https://example.com/a.jpg,Our door',
      '2026-12-02 09:00,X,Harbour Coffee,B,,Our window',
      `2026-12-03 09:00,X,Harbour Coffee,C,https://example.com/c.jpg,${'a'.repeat(1_001)}`,
    );
    await dm.sees('Row 3: Without media, the alt text isn’t used.');
    await dm.sees('The text is 1 character too long: 1000 fit here.');
    expect(dm.read()).not.toContain('Columns I don’t use');
    await pressAndSee(dm, 'Import 2 posts', '2 posts imported');
    await dm.type('/upnext posts december 2026 for Harbour Coffee');
    await pressAndSee(dm, 'Export as CSV', '2 posts of Harbour Coffee, as CSV.');
    const { text } = await readExportedCsv(running);
    expect(text).toContain(',A,https://example.com/a.jpg,Our door');
    expect(text).not.toContain('Our window');
  });

  test('has every text field of a post, which the rows to correct and the posts keep', async () => {
    const labels = POST_FIELDS.flatMap(({ label, isId }) => (isId ? [] : label));
    const values = ['A', 'https://example.com/a.jpg', ...labels.slice(2).map((label) => `${label} of A`)];
    const dm = await drop(
      `Time,Platforms,Project,${labels.join(',')}`,
      `2026-12-01 09:00,X,Harbour Coffee,${values.join(',')}`,
      `soonish,X,Harbour Coffee,${values.join(',')}`,
    );
    await pressAndSee(dm, 'Get the rows to correct', '[posts-to-correct.csv]');
    expect((await readExportedCsv(running)).text).toContain(`,${values.join(',')},3,`);
    await pressAndSee(dm, 'Import 1 post', '1 post imported');
    await dm.type('/upnext posts december 2026 for Harbour Coffee');
    await pressAndSee(dm, 'Export as CSV', '1 post of Harbour Coffee, as CSV.');
    expect((await readExportedCsv(running)).text).toContain(`,${values.join(',')}\r\n`);
  });

  test('has no platforms, so they are asked for', async () => {
    const dm = await drop('Posting Time,Text', '2026-12-01 09:00,A new roast');
    await dm.sees('The rows don’t say');
    const form = await pressForForm(dm, 'Choose the platforms…', 'Import settings');
    await submitWith(form, { Platforms: ['LinkedIn'] });
    await seeAll(dm, '1 post for Harbour Coffee', 'Rows without a platform go to LinkedIn.');
  });

  test('has dates that can be read in two ways, which is asked once', async () => {
    await noteUsedOrder(running.db, { workspace: 'T01HARBOUR', user: 'U01ANAFERR' }, '12/25');
    const dm = await drop(
      'Date,Platforms,Project,Text',
      '03/04/2027 9:00,X,Harbour Coffee,A',
      '05/06/2027 9:00,X,Harbour Coffee,B',
    );
    await dm.sees('What does “03/04/2027 9:00” mean?');
    await dm.press('3 Apr 2027');
    await pressAndSee(dm, 'Import 2 posts', '2 posts imported');
    expect(await listHeld()).toEqual(['held 2027-04-03T08:00', 'held 2027-06-05T08:00']);
  });

  test('has dates in the order in which its person writes them, and the check says so', async () => {
    const dm = await drop('Date,Platforms,Project,Text', '03/04/2027 9:00,X,Harbour Coffee,A');
    await dm.sees('“03/04/2027 9:00” is 3 Apr 2027, in the order in which you write dates.');
    await pressAndSee(dm, 'Import 1 post', '1 post imported');
    expect(await listHeld()).toEqual(['held 2027-04-03T08:00']);
  });

  test('is checked again once, however often the answer is pressed', async () => {
    await noteUsedOrder(running.db, { workspace: 'T01HARBOUR', user: 'U01ANAFERR' }, '12/25');
    const dm = await drop('Date,Platforms,Project,Text', '03/04/2027 9:00,X,Harbour Coffee,A');
    await dm.sees('What does “03/04/2027 9:00” mean?');
    await Promise.all([dm.press('3 Apr 2027'), dm.press('4 Mar 2027')]);
    await dm.sees('1 post for Harbour Coffee');
    await dm.sees(
      'This check was replaced, discarded or imported meanwhile. Its message shows how it is now.',
    );
    const listStates = () => running.db.selectFrom('post_import').select('state').orderBy('state').execute();
    // The second press makes no check at all if the first has dropped the earlier one already.
    const isOneLeft = async () => {
      const [first, ...others] = (await listStates()).map(({ state }) => state);
      return first === 'checked' && others.length > 0 && others.every((state) => state === 'dropped');
    };
    await expect.poll(isOneLeft).toBe(true);
    await pressAndSee(dm, 'Import 1 post', '1 post imported');
  });

  test('is shown in a new message if the earlier one can’t be changed', async () => {
    await noteUsedOrder(running.db, { workspace: 'T01HARBOUR', user: 'U01ANAFERR' }, '12/25');
    const dm = await drop('Date,Platforms,Project,Text', '03/04/2027 9:00,X,Harbour Coffee,A');
    await dm.sees('What does “03/04/2027 9:00” mean?');
    const findMessage = () => running.db.selectFrom('post_import').select('message_ts').executeTakeFirst();
    await expect.poll(findMessage).toEqual({ message_ts: expect.any(String) });
    failSlack(running, { method: 'chat.update', fault: 'error', error: 'message_not_found' });
    await pressAndSee(dm, '3 Apr 2027', '1 post for Harbour Coffee');
    running.workspace.faults.set({ webApi: [] });
    await pressAndSee(dm, 'Import 1 post', '1 post imported');
  });

  test('that isn’t a table gets a reason, and another file no answer', async () => {
    const dm = await ana();
    await dm.drop([{ name: 'posts.xlsx', bytes: new Uint8Array([0x50, 0x4b, 3, 4]) }]);
    await dm.sees('This isn’t a CSV file.');
    await dm.drop(csv(['a,b', 'c,d']));
    await dm.sees('I found no column for the texts.');
    const before = dm.messages().length;
    await dm.drop([{ name: 'a.png', bytes: new Uint8Array([1, 2, 3]) }]);
    await ask(dm, 'help', 'Common commands');
    expect(dm.messages()).toHaveLength(before + 3);
  });
});

test('a table of posts in a channel is offered to whoever shared it, other tables aren’t, and a shortcut checks one', async () => {
  const channel = running.workspace.as('Ana').in('#harbour-coffee');
  await channel.drop(csv(['Name,Phone', 'Ana,1']));
  await channel.drop(csv(['Time,Platforms,Text', '2026-12-01 09:00,X,A new roast']));
  await pressAndSee(channel, 'Check it', 'I’ve sent you the check as a direct message.');
  await (await ana()).sees('1 post for Harbour Coffee');
  await channel.drop(
    csv(['Time,Platforms,Text', '2026-12-02 09:00,X,Another roast'], 'other.csv'),
    'Our posts',
  );
  await channel.shortcut('Import posts from file', 'Our posts');
  await (await ana()).sees('other.csv: 1 row. Nothing is imported yet.');
});

test('the shortcut of a message checks all of its files', async () => {
  const channel = running.workspace.as('Ana').in('#harbour-coffee');
  const [first, second] = ['x.csv', 'linkedin.csv'].map((name) =>
    csv(['Time,Platforms,Text', `2026-12-01 09:00,${name.split('.')[0]},A new roast`], name),
  );
  await channel.drop([...(first ?? []), ...(second ?? [])], 'Our posts');
  await channel.shortcut('Import posts from file', 'Our posts');
  const dm = await ana();
  await seeAll(dm, 'x.csv: 1 row.', 'linkedin.csv: 1 row.');
});

test.each(['in a direct message', 'by the shortcut'])(
  'the refusal of one of six files names it %s',
  async (way) => {
    const files = [1, 2, 3, 4, 5, 6].flatMap((number) => csv(['Name,Phone', 'Ana,1'], `list ${number}.csv`));
    if (way === 'in a direct message') await (await ana()).drop(files);
    else {
      const channel = running.workspace.as('Ana').in('#harbour-coffee');
      await channel.drop(files, 'Our lists');
      await channel.shortcut('Import posts from file', 'Our lists');
    }
    const dm = await ana();
    for (const number of [1, 2, 3, 4, 5, 6])
      await dm.sees(`list ${number}.csv: I found no column for the texts.`);
  },
);

test('rows are pasted into a form, which says the limits first, for the project of the channel’s name', async () => {
  running.service.on('GET /projects', listProjects('Night Market', 'Harbour Coffee'));
  const channel = running.workspace.as('Ana').in('#harbour-coffee');
  await ask(channel, '/upnext import', 'I read up to 5,000 rows and 10 MB');
  const form = await pressForForm(channel, 'Choose a file or paste rows…', 'Import posts');
  await submitWith(form, { 'Or paste rows': 'Time\tPlatforms\tText\n2026-12-01 09:00\tX\tA new roast' });
  const dm = await ana();
  await seeAll(dm, 'pasted rows: 1 row. Nothing is imported yet.', '1 post for Harbour Coffee');
});

test('the template is imported without its examples', async () => {
  const channel = running.workspace.as('Ana').in('#harbour-coffee');
  await askAndPress(channel, '/upnext import', 'Get the template');
  await (await ana()).sees('[upnext-posts.csv]');
});

test('rows can be pasted while Slack doesn’t say whether files can be read', async () => {
  const dm = await ana();
  await dm.type('/upnext import');
  failSlack(running, { method: ['auth.test'], fault: 'error', error: 'internal_error' });
  const form = await pressForForm(dm, 'Choose a file or paste rows…', 'Import posts');
  expect(form.text()).toContain('I couldn’t find out whether I may read files here');
});

describe('a workspace that declined files:read', () => {
  beforeEach(() => startBot({ declinedScopes: ['files:read'] }));

  test('reads what is missing, and can paste rows, also those of the template', async () => {
    const dm = await drop('Time,Text', '2026-12-01 09:00,A new roast');
    await dm.sees('I can’t read files in this workspace.');
    await dm.type('/upnext import');
    await dm.sees(
      'Paste rows from a spreadsheet. I can’t read files here without the permission files:read.',
    );
    expect(dm.messages().at(-1)).not.toContain('Drop a CSV file');
    await pressAndSee(dm, 'Get the template', 'Fill it in, and paste its rows: /upnext import');
    const form = await pressForForm(dm, 'Paste rows…', 'Import posts');
    expect(form.text()).toContain('I can’t read files here without the permission files:read.');
    expect((await form.submit()).errors).toEqual({ 'Paste rows': 'Paste the rows.' });
    await submitWith(form, { 'Paste rows': 'Time,Platforms,Text\n2026-12-01 09:00,X,A new roast' });
    await dm.sees('1 post for Harbour Coffee');
  });
});

test('a workspace that declined files:write reads why it doesn’t get the rows to correct', async () => {
  await startBot({ declinedScopes: ['files:write'] });
  const dm = await drop('Time,Platforms,Text', '2026-12-01 09:00,X,A new roast', 'soonish,X,Beans');
  await dm.press('Import 1 post');
  await dm.sees(
    '1 row needs a correction. Correct it in the file with this row, and import that: /upnext import',
  );
  await dm.press('Get the rows to correct');
  await dm.sees('I need permission to add files: install Upnext again with files:write.');
});

test('people without a role read which one they need, and people who write drafts import drafts', async () => {
  await startBot({ membersDefaultRole: 'viewer' });
  const ben = await running.workspace.as('Ben').inDirectMessage();
  const file = csv(['Time,Platforms,Text', '2026-12-01 09:00,X,A new roast']);
  await ben.drop(file);
  await ben.sees('You need the Contributor role');
  await startBot({ membersDefaultRole: 'contributor' });
  const mira = await running.workspace.as('Mira').inDirectMessage();
  await mira.drop(file);
  await mira.sees('Row 2: You can only save drafts in this project.');
  await pressAndSee(mira, 'Import 1 post', '1 post imported', 'See them with /upnext posts drafts.');
  expect(await listHeld()).toEqual(['draft 2026-12-01T08:00']);
});
