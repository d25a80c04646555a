import { describe, expect, test } from 'vitest';
import { openFilledForm, showMedia } from '../../support/filled-form.ts';
import { changeHeldPosts, holdPost, listHeldPosts } from '../../support/hold-posts.ts';
import { buildJpeg } from '../../support/media-files.ts';
import { createSlotPolicy } from '../../support/posting-times.ts';
import { data, listProjects } from '../../support/scripted-service.ts';
import { csv, MONTH, setUpImports } from '../../support/set-up-imports.ts';
import { pressAndSee, seeAll } from '../../support/steps.ts';

const { running, setPolicy, startBot, ana, drop } = setUpImports();

describe('a file with posts that exist already, or resemble others', () => {
  test('that was imported before imports nothing again', async () => {
    const dm = await ana();
    const file = csv(['Time,Platforms,Project,Text', ...MONTH.slice(0, 3)]);
    await dm.drop(file);
    await pressAndSee(dm, 'Import 3 posts', '3 posts imported');
    await dm.drop(file);
    await seeAll(dm, '3 rows left out: the same post exists already.', 'No row can be imported.');
  });

  test('with a post that reviewers have returned makes no second one of it', async () => {
    const dm = await ana();
    const row = '2026-12-01 09:00,X,Harbour Coffee,We open';
    await dm.drop(csv(['Time,Platforms,Project,Text', row]));
    await pressAndSee(dm, 'Import 1 post', '1 post imported');
    await changeHeldPosts(running, { state: 'draft', reason: 'changes-requested' });
    const columns = 'Time,Platforms,Project,Text,Status';
    await dm.drop(csv([columns, `${row},Changes requested`, `${row} at ten,Draft`], 'exported.csv'));
    await seeAll(dm, '1 row left out: the same post exists already.', '[Import 1 post]');
  });

  test('that two people have checked is imported once, whoever imports it', async () => {
    const file = csv(['Time (Europe/Berlin),Platforms,Project,Text', ...MONTH.slice(0, 3)]);
    const people = [await ana(), await running.workspace.as('Ben').inDirectMessage()];
    for (const dm of people) {
      await dm.drop(file);
      await dm.sees('Import 3 posts');
    }
    await Promise.all(people.map((dm) => dm.press('Import 3 posts')));
    for (const dm of people) await dm.sees('imported from posts.csv for Harbour Coffee.');
    expect(people.map((dm) => dm.read()).join()).toContain('3 rows left out: the same post exists already.');
    expect(await listHeldPosts(running)).toHaveLength(3);
  });

  test('leaves out a post that somebody has sent from the form since the check', async () => {
    await setPolicy({});
    const rows = ['X,Harbour Coffee,We open at nine', 'X,Harbour Coffee,We open at ten'];
    const dm = await drop('Time,Platforms,Project,Text', ...rows.map((row) => `2026-12-01 09:00,${row}`));
    await dm.sees('[Import 2 posts]');
    await (await openFilledForm(running)).form.submit();
    await expect.poll(() => running.service.created()).toHaveLength(1);
    await ana();
    await pressAndSee(dm, 'Import 2 posts', '1 post imported from posts.csv');
    await dm.sees('1 row left out: the same post exists already.');
    await expect.poll(() => running.service.created()).toHaveLength(2);
  });

  test('isn’t checked against the few projects that are known without the service', async () => {
    await holdPost(running, { text: 'An old roast', at: '2026-12-01T09:20:00Z', platforms: ['X'] });
    await running.service.stop();
    const dm = await drop('Time,Platforms,Project,Text', '2026-12-01 09:00,X,Night Market,We open');
    await dm.sees('The scheduling service isn’t answering. I haven’t checked the rows. Try again later.');
    expect(dm.read()).not.toContain('needs a correction');
  });

  test('says that it is still being checked while the service doesn’t answer', async () => {
    await startBot({ pace: { slowNoticeDelayMs: 50 } });
    const answer = Promise.withResolvers<void>();
    running.service.on('GET /posts', async (...call) => {
      await answer.promise;
      await data([])(...call);
    });
    running.service.on('GET /projects', listProjects('Harbour Coffee', 'Night Market'));
    const other = '2026-12-01 09:00,X,Night Market,We open';
    const dm = await drop('Time,Platforms,Project,Text', ...MONTH.slice(0, 1), other);
    await dm.sees('The check of posts.csv can take a few minutes. If no result follows, send it again');
    expect(dm.read()).not.toContain('Nothing is imported yet.');
    // One project doesn’t wait for the other.
    const comparedPaths = () =>
      running.service.calls.flatMap(({ path }) => (path.endsWith('/posts') ? path : []));
    await expect.poll(() => new Set(comparedPaths()).size).toBe(2);
    answer.resolve();
    await dm.sees('posts.csv: 2 rows. Nothing is imported yet.');
    // Its result closes it.
    await dm.sees('posts.csv: checked.');
    expect(dm.read()).not.toContain('can take a few minutes');
  });

  test('with a text that goes out nearby is imported, and a warning says so', async () => {
    const row = (time: string, platforms: string) =>
      `2026-12-${time},"${platforms}",Harbour Coffee,A new roast`;
    const dm = await drop('Time,Platforms,Project,Text', row('01 09:00', 'X'), row('02 15:30', 'X, Threads'));
    await dm.sees('2 posts for Harbour Coffee');
    expect(dm.read()).not.toContain('The same text');
    await pressAndSee(dm, 'Import 2 posts', '2 posts imported');
    await dm.drop(csv(['Time,Platforms,Project,Text', row('01 10:00', 'X, Threads')], 'later.csv'));
    await dm.sees('Row 2: The same text goes out on X again. X may refuse it, so vary it.');
  });

  test('with rows at the same time, or soon after each other, says so', async () => {
    const row = (time: string, text: string) => `2026-12-01 ${time},X,Harbour Coffee,${text}`;
    const dm = await drop(
      'Time,Platforms,Project,Text',
      ...[row('09:00', 'One'), row('09:00', 'Two'), row('12:00', 'Three'), row('12:20', 'Four')],
    );
    await dm.sees('Rows 2 and 3: Another row goes out on X at the same time.');
    await dm.sees('Rows 4 and 5: Another row goes out on X less than 30 minutes before or after.');
  });

  test('says what is wrong with a long text, and which rows and pictures can’t be meant', async () => {
    const row = (text: string, media = '') => `2026-12-01 09:00,X,Harbour Coffee,${text},${media}`;
    const dm = await drop(
      'Time,Platforms,Project,Text,Media',
      ...[row('long '.repeat(80)), row('A new roast', 'roast.jpg'), row('A new roast', 'roast.jpg')],
    );
    await seeAll(dm, 'too long.', '1 row left out: the same as an earlier row.');
    await dm.sees(
      'Row 3: This looks like the name of a file, and the service can’t open files on a computer.',
    );
  });

  test('that was corrected and imported again says which posts would be there twice', async () => {
    const columns = 'Time,Platforms,Project,Text';
    const row = (time: string, text: string) => `${time},"X, LinkedIn",Harbour Coffee,${text}`;
    const dm = await drop(columns, row('2026-12-01 09:00', 'A new roast'), row('2026-12-03 09:00', 'Latte'));
    await pressAndSee(dm, 'Import 2 posts', '2 posts imported');
    await dm.drop(
      csv([columns, row('2026-12-01 09:00', 'A newer roast'), row('2026-12-05 09:00', 'Latte')], 'later.csv'),
    );
    await dm.sees('Row 2: Another post goes out on X and LinkedIn at the same time.');
    await dm.sees('Row 3: The same text goes out on LinkedIn again. LinkedIn may refuse it, so vary it.');
    await dm.sees('If this is its new version, change that post in /upnext week instead.');
    await dm.drop(csv([`${columns},Media`, `${row('2026-12-01 10:00', 'A new roast')},`], 'moved.csv'));
    await dm.sees('LinkedIn may refuse it, so vary it. If this is its new version, change that post');
    const picture = 'https://example.com/roast.jpg';
    await dm.drop(
      csv([`${columns},Media`, `${row('2026-12-01 09:00', 'A new roast')},${picture}`], 'pic.csv'),
    );
    await seeAll(dm, 'pic.csv: 1 row.', 'Row 2: Another post goes out on X and LinkedIn at the same time.');
    expect(dm.read().split('pic.csv').at(-1)).not.toContain('at another time');
  });

  test('in which only the alt text of a picture has changed says which post to change', async () => {
    const table = (altText: string) =>
      `2026-12-01 09:00,X,Harbour Coffee,A new roast,https://example.com/roast.jpg,${altText}`;
    const columns = 'Time,Platforms,Project,Text,Media,Alt text';
    const dm = await drop(columns, table('A bag'));
    await pressAndSee(dm, 'Import 1 post', '1 post imported');
    await dm.drop(csv([columns, table('A bag of beans')], 'alt.csv'));
    await dm.sees('alt.csv: 1 row.');
    await dm.sees('If this is its new version, change that post in /upnext week instead.');
  });

  test('says which row to leave out if the service has another version of it', async () => {
    const service = { Id: 's1', Platforms: ['X'], Status: 'SCHEDULED', Content: 'An old roast' };
    running.service.on('GET /posts', data([{ ...service, ScheduleDate: '2026-12-01T09:00:00Z' }]));
    const row = (time: string, text: string) => `2026-12-${time},X,Harbour Coffee,${text}`;
    const dm = await drop(
      'Time,Platforms,Project,Text',
      row('01 09:00', 'A new roast'),
      row('03 09:00', 'An old roast'),
    );
    const advice =
      'If this is its new version, leave this row out: the scheduling service has that post already.';
    await dm.sees(`Row 2: Another post goes out on X at the same time. ${advice}`);
    await dm.sees(`Row 3: The same text goes out on X at another time. ${advice}`);
  });

  test('says which row to leave out if the service has another version of it in parts', async () => {
    const at = '2026-12-01T09:00:00Z';
    const platforms = ['X', 'LINKEDIN'];
    await holdPost(running, { text: 'An old roast', at, platforms, ownTexts: { X: 'Short' } });
    await changeHeldPosts(running, { state: 'delivered', sent_to: 'X,LINKEDIN' });
    const dm = await drop('Time,Platforms,Project,Text', '2026-12-01 09:00,X,Harbour Coffee,A new roast');
    await dm.sees('leave this row out: the scheduling service has that post already.');
  });

  test('leaves out a draft that the service has, and a post that it has although a platform would refuse it', async () => {
    const drafts = [{ Id: 's1', Platforms: ['X'], Status: 'DRAFT', Content: 'Opening hours' }];
    const scheduled = { Id: 's2', Platforms: ['INSTAGRAM'], Status: 'SCHEDULED', Content: 'A new roast' };
    const timed = [{ ...scheduled, ScheduleDate: '2026-12-01T09:00:00Z' }];
    running.service.on('GET /posts', (...request) =>
      data(request[0].query.has('status') ? drafts : timed)(...request),
    );
    const dm = await drop(
      'Time (UTC),Platforms,Project,Status,Text',
      '2026-12-01 09:00,Instagram,Harbour Coffee,Scheduled,A new roast',
      ',X,Harbour Coffee,Draft,Opening hours',
      ',X,Harbour Coffee,Draft,Other opening hours',
      '2026-12-02 09:00,Instagram,Harbour Coffee,Scheduled,Another roast',
    );
    await dm.sees('• Without a time: 1 post, as a draft');
    await seeAll(dm, '2 rows left out: the same post exists already.', '1 row needs a correction:');
    await dm.sees('Row 5: Instagram needs media.');
  });

  test('is compared with the posts of its good rows’ days, however late the row to correct is', async () => {
    const post = { Platforms: ['X'], Status: 'SCHEDULED', Content: 'A new roast' };
    const posts = [
      { ...post, Id: 's0', ScheduleDate: '2026-12-01T09:00:00Z' },
      ...Array.from({ length: 2_001 }, (_, index) => ({
        ...{ ...post, Id: `s${index + 1}`, ScheduleDate: '2027-03-01T09:00:00Z' },
      })),
    ];
    running.service.on('GET /posts', (...request) => {
      const { query } = request[0];
      const [skip, limit] = [Number(query.get('skip')), Number(query.get('limit'))];
      const until = new Date(query.get('schedule_date_to') ?? '');
      const found = posts.filter(({ ScheduleDate: time }) => new Date(time) <= until);
      return data(found.slice(skip, skip + limit))(...request);
    });
    const dm = await drop(
      'Time (UTC),Platforms,Project,Text',
      '2026-12-01 09:00,X,Harbour Coffee,A new roast',
      '2027-06-01 09:00,Instagram,Harbour Coffee,Without a picture',
    );
    await seeAll(dm, '1 row left out: the same post exists already.', '1 row needs a correction:');
    expect(dm.read()).not.toContain('I couldn’t read the scheduling service’s posts');
  });

  test('with a picture that Upnext has deleted since needs a correction', async () => {
    await startBot({ limits: false, takesFiles: true, mode: 'http' });
    const address = new URL(`/media/${'A'.repeat(43)}.png`, running.url).href;
    await setPolicy(createSlotPolicy({ X: 'weekdays 9:00, 16:30' }));
    const row = (time: string, media: string) => `${time},X,Harbour Coffee,A new roast,${media}`;
    const dm = await drop(
      'Time,Platforms,Project,Text,Image,Video',
      ...[row('2026-12-01 09:00', `,${address}`), row('2026-12-01 09:00', `,${address}`)],
      ...[row('next slot', `${address},`), row('next slot', 'https://example.com/roast.png,')],
    );
    await dm.sees('3 rows need a correction:');
    for (const place of ['Rows 2 and 3: Video', 'Row 4: Image']) await dm.sees(`${place} “http`);
    await dm.sees('I’ve deleted this file meanwhile. Use a link, or attach it to the post in Slack.');
    await dm.sees('Next slots: row 5 Fri 20 Nov, 16:30 (Lisbon).');
  });

  test('with a picture that came from Slack is checked like in the form', async () => {
    await startBot({ takesFiles: true });
    const { ana, form } = await openFilledForm(running);
    await showMedia(ana, form);
    await form.attach('Picture or video', [
      { name: 'wall.jpg', bytes: buildJpeg({ width: 3000, height: 1000 }) },
    ]);
    await expect.poll(async () => (await form.submit()).errors).toEqual({});
    await expect.poll(() => running.service.created().length).toBe(1);
    const { Media } = running.service.created()[0] ?? {};
    const row = `2026-12-01 09:00,Instagram,Harbour Coffee,A wall,${String(Media)}`;
    const dm = await drop('Time,Platforms,Project,Text,Media', row);
    await dm.sees('Row 2: Instagram takes shapes from 4:5 to 1.91:1, and this has 3,000 × 1,000.');
    expect(dm.read()).not.toContain('Only your own network can open this link');
  });

  test('is compared with the text that each platform gets', async () => {
    const columns = 'Time,Platforms,Project,Text,Text for X';
    const row = (time: string, text: string, textForX: string) =>
      `2026-12-01 ${time},"X, LinkedIn",Harbour Coffee,${text},${textForX}`;
    const dm = await drop(columns, row('09:00', 'A new roast', 'Only for X'));
    await pressAndSee(dm, 'Import 1 post', '1 post imported');
    await dm.drop(
      csv(['Time,Platforms,Project,Text', '2026-12-01 10:00,X,Harbour Coffee,A new roast'], 'x.csv'),
    );
    await seeAll(dm, 'x.csv: 1 row.', '1 post for Harbour Coffee');
    expect(dm.read()).not.toContain('The same text');
    await dm.drop(csv([columns, row('11:00', 'Another roast', 'Only for X')], 'own.csv'));
    await dm.sees('Row 2: The same text goes out on X again.');
    await dm.drop(csv([columns, row('11:00', 'A new roast', 'Only for X')], 'both.csv'));
    await dm.sees('Row 2: The same text goes out on X and LinkedIn again.');
  });

  test('is compared with all posts of its days, however many they are', async () => {
    const row = (time: string, text: string) => `2026-12-01 ${time},X,Harbour Coffee,${text}`;
    const columns = 'Time,Platforms,Project,Text';
    const dm = await drop(columns, row('10:00', 'Early'), row('20:00', 'A new roast'));
    await pressAndSee(dm, 'Import 2 posts', '2 posts imported');
    const [early] = await running.db.selectFrom('held_post').selectAll().orderBy('publish_at').execute();
    if (!early) throw new Error('nothing was imported');
    const copies = Array.from({ length: 500 }, (_, index) => ({
      ...{ ...early, id: `${early.id}-${index}`, item: index + 100 },
    }));
    await running.db.insertInto('held_post').values(copies).execute();
    await dm.drop(csv([columns, row('21:00', 'A new roast')], 'later.csv'));
    await dm.sees('Row 2: The same text goes out on X again.');
  });
});
