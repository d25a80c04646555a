import { beforeEach, expect, test } from 'vitest';
import { holdPost } from '../../support/hold-posts.ts';
import { createSlotPolicy } from '../../support/posting-times.ts';
import { data, listedPost } from '../../support/scripted-service.ts';
import { setUpImports } from '../../support/set-up-imports.ts';
import { pressAndSee, seeAll } from '../../support/steps.ts';

/** "Next slot" in the column of the times, and rows on blackout days. It is a Friday at noon. */

const { running, setPolicy, drop: dropFile } = setUpImports();
const CHRISTMAS = { from: '2026-12-24', to: '2026-12-26', name: 'Christmas' };

beforeEach(() => setPolicy(createSlotPolicy({ X: 'weekdays 9:00, 16:30' }, [CHRISTMAS])));

const listTimes = async () =>
  (await running.db.selectFrom('held_post').select('publish_at').orderBy('publish_at').execute()).map(
    ({ publish_at: time }) => time?.toISOString().slice(0, 16),
  );
const drop = (lines: readonly string[], columns = 'Time,Platforms,Project,Text') =>
  dropFile(columns, ...lines);

test('each row takes the next free slot, in order, and the check says which', async () => {
  const dm = await drop([
    'next slot,X,Harbour Coffee,A',
    'Next free slot,X,Harbour Coffee,B',
    'next slot after tuesday,X,Harbour Coffee,C',
    '25 Dec 2026 9:00,X,Harbour Coffee,D',
  ]);
  await dm.sees('4 posts for Harbour Coffee');
  await dm.sees(
    'Next slots: row 2 Fri 20 Nov, 16:30 (Lisbon); row 3 Mon 23 Nov, 09:00 (Lisbon); row 4 Wed 25 Nov, 09:00 (Lisbon).',
  );
  await dm.sees('Row 5: Fri 25 Dec is a blackout day of this project (Christmas).');
  await holdPost(running, { text: 'Faster', at: '2026-11-20T16:30Z' });
  await pressAndSee(dm, 'Import 4 posts', '4 posts imported from posts.csv');
  expect(await listTimes()).toEqual([
    '2026-11-20T16:30',
    '2026-11-23T09:00',
    '2026-11-23T16:30',
    '2026-11-25T09:00',
    '2026-12-25T09:00',
  ]);
});

const WITH_DATES = 'Date,Time,Platforms,Project,Text';

test('“next slot” beside a date is the first slot from that date on', async () => {
  const days = ['"Tue, 24 Nov"', '27/11/2026', '2026-12-05'];
  const dm = await drop(
    days.map((day, index) => `${day},next slot,X,Harbour Coffee,Day ${index}`),
    WITH_DATES,
  );
  await dm.sees('3 posts for Harbour Coffee');
  await dm.sees('row 2 Tue 24 Nov, 09:00 (Lisbon); row 3 Fri 27 Nov, 09:00 (Lisbon); row 4 Mon 7 Dec, 09:00');
});

test.each([
  ['2026-11-19,next slot', '“2026-11-19” has passed.'],
  ['1 décembre 2026,next slot!', 'row 2 Tue 1 Dec, 09:00 (Lisbon)'],
  ['24/11,next slot', 'row 2 Tue 24 Nov, 09:00 (Lisbon)'],
])('“%s” is read, or refused with a reason', async (times, answer) =>
  (await drop([`${times},X,Harbour Coffee,A`], WITH_DATES)).sees(answer),
);

test('a row that can have no slot says why', async () => {
  const dm = await drop(['next slot,Reddit,Harbour Coffee,A', 'next slot after never,X,Harbour Coffee,B']);
  await dm.sees('This project has no posting times for Reddit.');
  await seeAll(dm, 'I don’t understand “never” after “next slot”.', 'No row can be imported.');
});

test('a text that has its slot already gets no second one', async () => {
  const rows = [
    'next slot,X,Harbour Coffee,A',
    'next slot,X,Harbour Coffee,B',
    'next slot,X,Harbour Coffee,A',
  ];
  const dm = await drop(rows);
  await dm.sees('1 row left out: the same post exists already.');
  await pressAndSee(dm, 'Import 2 posts', '2 posts imported from posts.csv');
  await drop(rows);
  await dm.sees('3 rows left out: the same post exists already.');
  expect(await listTimes()).toHaveLength(2);
});

test('a row that is faulty, or repeated, takes no slot from the others', async () => {
  const dm = await drop([
    `next slot,X,Harbour Coffee,${'Too long. '.repeat(60)}`,
    'next slot,X,Harbour Coffee,A',
    'next slot,X,Harbour Coffee,A',
    'next slot,X,Harbour Coffee,B',
  ]);
  await dm.sees('Next slots: row 3 Fri 20 Nov, 16:30 (Lisbon); row 5 Mon 23 Nov, 09:00 (Lisbon).');
});

const listServicePost = () =>
  running.service.on('GET /posts', data([listedPost('Earlier', '2026-11-20T16:30:00Z')]));

test('rows leave the slots of posts that were made in the service since the check', async () => {
  const dm = await drop(['next slot,X,Harbour Coffee,A']);
  await dm.sees('Next slots: row 2 Fri 20 Nov, 16:30 (Lisbon).');
  listServicePost();
  await pressAndSee(dm, 'Import 1 post', '1 post imported from posts.csv');
  expect(await listTimes()).toEqual(['2026-11-23T09:00']);
});

test('rows leave the slots of posts that were made in the service', async () => {
  listServicePost();
  const dm = await drop(['next slot,X,Harbour Coffee,A']);
  await dm.sees('Next slots: row 2 Mon 23 Nov, 09:00 (Lisbon).');
  await pressAndSee(dm, 'Import 1 post', '1 post imported from posts.csv');
  expect(await listTimes()).toEqual(['2026-11-23T09:00']);
});
