import { beforeAll, expect, test } from 'vitest';
import { composePost, postSubmission } from '../../src/features/schedule-post/sent/post-submission.ts';
import { checkRows, findOpenQuestions } from '../../src/imports/check-rows.ts';
import { recognizeColumns } from '../../src/imports/columns.ts';
import type { ImportSettings } from '../../src/imports/import-settings.ts';
import { readTable } from '../../src/imports/read-table.ts';
import { readTime } from '../../src/imports/read-time.ts';
import { warmUpDateParser } from '../../src/when/when.ts';
import { createTableBudget } from '../support/table-budget.ts';

/** What people write into the plan of a month, with the zone, the days and the texts that they mean. */

const NOW = new Date('2026-11-30T02:00:00Z');
const COFFEE = { id: 'p1', name: 'Harbour Coffee' };
const BIKES = { id: 'p2', name: 'Bikes & Co' };

beforeAll(warmUpDateParser);

async function check(lines: readonly string[], settings: ImportSettings = {}) {
  const table = await readTable(Buffer.from(lines.join('\n')), createTableBudget());
  if (table.kind === 'refused') throw new Error(table.reason);
  const [first, ...rows] = table.rows;
  const columns = await recognizeColumns(first?.cells ?? [], [], createTableBudget());
  if (!columns) throw new Error('no columns');
  const input = {
    ...{ rows, columns, projects: [COFFEE, BIKES], now: NOW, findZone: () => 'Europe/Berlin' },
    locale: 'en-US',
    settings: { project: COFFEE, zone: columns.declaredZone, ...settings },
  };
  const checked = await checkRows(
    {
      ...input,
      maySchedule: () => true,
      compose: composePost,
      describeRequest: (content) => postSubmission.post.describeRequest(content as never),
    },
    createTableBudget(),
  );
  return { columns, checked, questions: await findOpenQuestions(input, createTableBudget()) };
}

const listTimes = ({ checked }: Awaited<ReturnType<typeof check>>) =>
  checked.map(({ post: { moment } }) => `${moment?.instant.toISOString().slice(0, 16)} ${moment?.zone}`);

const pair = (locale: string, time: string) => [locale, time] as const;

test.each([
  ...['jue 3/12 9:00', 'jue. 3/12 9h', '3/12 9 h', 'jueves 3/12 9.00'].map((time) => pair('es-ES', time)),
  ...['gio 3/12 9:00', 'giovedì 3/12 ore 9:00'].map((time) => pair('it-IT', time)),
  ...['qui 3/12 9:00', '3/12 9h'].map((time) => pair('pt-BR', time)),
  ...['3/12 9h', '3-12 9:00'].map((time) => pair('de-DE', time)),
  ...['jeu. 3/12 9h', '3/12 9 am'].map((time) => pair('fr-FR', time)),
  ...['Thu 3/12 9am', '3/12 0900', '3/12 9 AM UTC'].map((time) => pair('en-US', time)),
])('in %s, “%s” is a day and its time', (locale, time) => {
  const reading = readTime(time, { zone: 'UTC', order: 'day-first', locale, now: NOW });
  expect(reading).toMatchObject({ instant: new Date('2026-12-03T09:00:00Z'), notes: [] });
  // “3.12. 10” is a day of 2010.
  const later = readTime(time.replace(/0?9/, '10'), { zone: 'UTC', order: 'day-first', locale, now: NOW });
  expect(later).toMatchObject({ instant: new Date('2026-12-03T10:00:00Z'), notes: [] });
});

test.each([
  ['3/12 18 Uhr', '2026-12-03T18:00:00Z'],
  ['Thu 3/12 20 uur', '2026-12-03T20:00:00Z'],
  ["3/12 18 o'clock", '2026-12-03T18:00:00Z'],
  ['3/12 12 PM', '2026-12-03T12:00:00Z'],
  ['3/12 next year', '2027-12-03T09:00:00Z'],
  ['dia 12/3 às 9h', '2027-03-12T09:00:00Z'],
])('“%s” is a day of its year', (time, instant) => {
  const reading = readTime(time, { zone: 'UTC', order: 'day-first', locale: 'pt-BR', now: NOW });
  expect(reading).toMatchObject({ instant: new Date(instant) });
});

test.each(['in 3/4h', '3/12 or 5/12', 'jue 3/12 or 5/12'])('“%s” is no day', (time) => {
  const reading = readTime(time, { zone: 'UTC', order: 'day-first', locale: 'en-US', now: NOW });
  expect(reading).toMatchObject({ kind: 'problem' });
});

test.each(['en-US', 'de-DE', 'es-ES', 'ja-JP'])('in %s, a slot from 3/12 on is one of December', (locale) => {
  const reading = readTime('next slot from 3/12', { zone: 'UTC', order: 'day-first', locale, now: NOW });
  expect(reading).toEqual({ kind: 'slot', from: new Date('2026-12-03T00:00:00Z') });
});

test('a French time is read beside a day in any language', async () => {
  const read = await check(['Date,Heure,Réseau,Texte', '24/12,18h,X,A', '3/12,9 h,X,B']);
  expect(listTimes(read)).toEqual(['2026-12-24T17:00 Europe/Berlin', '2026-12-03T08:00 Europe/Berlin']);
});

test('of “12-01” beside a time, people are asked which number is the day', async () => {
  const lines = ['Date,Time,Platform,Text', '12-01,9:00 AM,X,A'];
  expect((await check(lines)).questions.date).toBe('12-01 9:00 AM');
  expect(listTimes(await check(lines, { order: 'month-first' }))).toEqual(['2026-12-01T08:00 Europe/Berlin']);
  expect(listTimes(await check(lines, { order: 'day-first' }))).toEqual(['2027-01-12T08:00 Europe/Berlin']);
  expect((await check([...lines, '24-12,9:00,X,B'])).questions.date).toBeUndefined();
});

test.each(['12-01,at 9:00', '12-01,um 9:00', '12-01,9 AM', '"12-01, 9:00",', '12-01 at 9 am,'])(
  'the answer counts in “%s”',
  async (cells) => {
    const lines = ['Date,Time,Platform,Text', `${cells},X,A`];
    const read = (order: 'day-first' | 'month-first') => check(lines, { order });
    expect(listTimes(await read('month-first'))).toEqual(['2026-12-01T08:00 Europe/Berlin']);
    expect(listTimes(await read('day-first'))).toEqual(['2027-01-12T08:00 Europe/Berlin']);
  },
);

test.each([
  '9-10 12 Dec',
  '9-10 12 April',
  '9-10 12. Dezember',
  '10-9 5.12.',
  '9-11 12.12',
  '9-12 11.30 Uhr',
])('in “%s”, the hours aren’t a date', async (time) => {
  const { questions, checked } = await check(['Time,Platform,Text', `${time},X,A`]);
  expect(questions.date).toBeUndefined();
  expect(checked[0]?.problems[0]?.problem).toContain('That’s a range.');
});

test.each(['10-16 5.12.', '10-16 5.12', '9-13 12.12', '13-45 9:00'])(
  'the numbers of “%s” don’t decide which number of the other dates is the day',
  async (time) => {
    const lines = ['Time,Platform,Text', '3/12 9:00,X,A', `${time},X,B`];
    expect((await check(lines)).questions.date).toBe('3/12 9:00');
  },
);

test('a time with an h has 24 hours, also for people with a 12-hour clock', async () => {
  const lines = ['Date,Heure,Réseau,Texte', 'Thu,2h,X,A', '3 Dec,6h30,X,B', 'tomorrow,6 h,X,C'];
  expect(listTimes(await check(lines))).toEqual([
    '2026-12-03T01:00 Europe/Berlin',
    '2026-12-03T05:30 Europe/Berlin',
    '2026-12-01T05:00 Europe/Berlin',
  ]);
});

test.each([
  '4 Jan 9:00',
  '4/1 10:30',
  'today 9.30',
  '4. Jan. 9:00',
  '9:00 today',
  '4 Jan 10:00 CET',
  '4 Jan at 9',
])('“%s” isn’t in the evening after it', (time) => {
  const settings = { zone: 'UTC', order: 'day-first', locale: 'en-US' } as const;
  const read = (now: string) => readTime(time, { ...settings, now: new Date(now) });
  expect(read('2027-01-04T11:00:00Z')).toEqual({
    kind: 'problem',
    problem: `“${time}” has passed. Write a later time.`,
  });
  expect(read('2027-01-04T08:00:00Z')).toMatchObject({ kind: 'moment' });
});

test.each([
  ['en-US', 'tonight 9:00'],
  ['en-US', '4 Jan evening 9:00'],
  ['en-US', 'pm 4 Jan 9:00'],
  ['fr-FR', 'ce soir 9h00'],
  ['ja-JP', '今夜 9:00'],
  ['en-US', '4 Jan 9:00 pm'],
])('in %s, “%s” is in the evening', (locale, time) => {
  const reading = readTime(time, { zone: 'UTC', locale, now: new Date('2027-01-04T10:00:00Z') });
  expect(reading).toMatchObject({ instant: new Date('2027-01-04T21:00:00Z') });
});

test('a day of December that has just passed in January is told to be at the end of the year', () => {
  const read = (time: string) =>
    readTime(time, { zone: 'UTC', order: 'day-first', now: new Date('2027-01-04T10:00:00Z') });
  for (const time of ['28/12 9:00', '28.12. 9:00'])
    expect(read(time)).toMatchObject({
      instant: new Date('2027-12-28T09:00:00Z'),
      notes: ['No year given: 2027.'],
    });
  expect(read('Christmas 9:00')).toMatchObject({ notes: ['Fri 25 Dec has passed, so in 2027.'] });
  expect(read('28/10 9:00')).toMatchObject({ notes: [] });
  expect(read('28 Dec 2027 9:00')).toMatchObject({ notes: [] });
  expect(read('2/1 9:00')).toMatchObject({ problem: expect.stringContaining('has passed this year') });
});

test('the time zone of a row counts more than that of the column of times', async () => {
  const read = await check([
    'Date,Time (CET),Time zone,Platform,Text',
    '2026-12-01,9:00,New York,X,A',
    '2026-12-01,9:00,,X,B',
    '2026-12-01,9:00 EST,New York,X,C',
    '2026-12-01T09:00:00Z,,New York,X,D',
  ]);
  expect(listTimes(read).slice(0, 2)).toEqual([
    '2026-12-01T14:00 America/New_York',
    '2026-12-01T08:00 Europe/Berlin',
  ]);
  const listNotes = ({ checked }: typeof read) => checked.map(({ notes }) => notes.join());
  const [note, empty] = ['The row’s time zone counts, not Berlin.', '“Time zone” is empty, so it’s Berlin.'];
  expect(listNotes(read)).toEqual([note, empty, '', '']);
  const lines = ['Time (CET),Time zone,Platform,Text', '2026-12-01 9:00,New York,X,A'];
  const chosen = await check(lines, { zone: 'Europe/Lisbon' });
  expect(listNotes(chosen)).toEqual(['The row’s time zone counts, not Lisbon.']);
  const same = await check(['Time (CET),Time zone,Platform,Text', '2026-12-01 9:00,Berlin,X,A']);
  expect(same.checked.map(({ notes }) => notes)).toEqual([[]]);
});

test('an empty cell below others of its column says which project and time zone count', async () => {
  const { checked } = await check([
    'Date,Time,Zeitzone,Kunde/Projekt,Project,Platform,Text',
    '2026-12-01,9:00,New York,,Bikes & Co,X,A',
    '2026-12-01,9:00,,,,X,B',
    '2026-12-01,9:00 EST,,,Bikes & Co,X,C',
    '2026-12-01T09:00:00Z,,,,Bikes & Co,X,D',
  ]);
  expect(checked.map(({ notes }) => notes)).toEqual([
    [],
    ['“Project” is empty, so it’s Harbour Coffee.', '“Zeitzone” is empty, so it’s Berlin.'],
    [],
    [],
  ]);
  const lines = [
    'Time,"Time\nzone",Project,Platform,Text',
    '2026-12-01 9:00,,,X,A',
    '2026-12-02 9:00,CET,p1,X,B',
  ];
  const { checked: broken } = await check(lines, { project: { id: 'p1', name: 'Harbour\nCoffee' } });
  expect(broken[0]?.notes).toEqual([
    '“Project” is empty, so it’s Harbour Coffee.',
    '“Time zone” is empty, so it’s Berlin.',
  ]);
  const { checked: unused } = await check(['Time,Time zone,Platform,Text', '2026-12-01 9:00,,X,A']);
  expect(unused.map(({ notes }) => notes)).toEqual([[]]);
});

test.each(['Datum/Uhrzeit', 'Datum und Zeit', 'Date/Heure', 'Fecha y hora', 'Data/ora', 'Date & Time'])(
  'a column “%s” has the whole time',
  async (name) => {
    const read = await check([`${name},Platform,Text`, '2026-12-01 09:00,X,A']);
    expect(listTimes(read)).toEqual(['2026-12-01T08:00 Europe/Berlin']);
  },
);

test.each(['Text X', 'Text für X', 'Texte X', 'Texte pour X', 'Texto para X', 'Testo per X', 'Copy Twitter'])(
  'a column “%s” has the text for X',
  async (name) => {
    const { columns, checked } = await check([
      `Date,Platform,Text,${name}`,
      '2026-12-01 09:00,"X, LinkedIn",A,B',
    ]);
    expect(columns.unused).toEqual([]);
    expect(checked.map(({ post }) => [post.text, post.ownTexts])).toEqual([['A', { X: 'B' }]]);
  },
);

test.each(['Content Instagram', 'Message X'])('a column “%s” isn’t the text of a post', async (name) => {
  const { columns } = await check([`Date,Platform,Text,${name}`, '2026-12-01 09:00,X,A,B']);
  expect([columns.unused, columns.ownTexts]).toEqual([[name], []]);
});

test('the link of a row is missed in a text for a platform', async () => {
  const { checked } = await check([
    'Date,Platform,Text,Link,Text for X,Text for LinkedIn',
    '2026-12-01 09:00,"X, LinkedIn",A,https://a.example,B,See https://a.example',
    '2026-12-02 09:00,LinkedIn,A,https://a.example,,C',
    '2026-12-03 09:00,"X, LinkedIn",A,,B,',
    '2026-12-04 09:00,LinkedIn,A,https://a.example,,',
    '2026-12-05 09:00,X,A,https://A.example/,See a.example,',
  ]);
  expect(checked.map(({ notes }) => notes)).toEqual([
    ['The link isn’t in the text for X.'],
    ['The link isn’t in the text for LinkedIn.'],
    [],
    [],
    [],
  ]);
});

test('the line below the names of a Markdown table is no row', async () => {
  const { checked } = await check([
    '| Date | Platform | Text |',
    '|:-----|:--------:|-----:|',
    '| 2026-12-01 09:00 | X | A |',
    '| - | - | - |',
  ]);
  expect(checked.map(({ number, outcome }) => `${number} ${outcome}`)).toEqual(['3 good', '4 faulty']);
});

test.each([
  ...['Date', 'Datum', 'Fecha', 'Publish date', 'Due date', 'Day'].flatMap((name) => [
    [`${name},Time,Send Date`, '2026-12-08,17:30,2026-11-30'] as const,
    [`Send Date,${name},Time`, '2026-11-30,2026-12-08,17:30'] as const,
  ]),
  ['Time,Send Date', '2026-12-08 17:30,2026-11-30'] as const,
  ['Due,Send Date', '2026-12-08 17:30,2026-11-30'] as const,
])('“Send Date” isn’t the date of a post in a plan with %s', async (names, cells) => {
  const { columns, checked } = await check([`${names},Platform,Text`, `${cells},X,A`]);
  expect(checked.map(({ post }) => post.moment?.instant.toISOString())).toEqual(['2026-12-08T16:30:00.000Z']);
  expect(columns.unused).toEqual(['Send Date']);
});

test.each([
  ['Text,post_link', ',', ''],
  ['Text,post_link,Link', ',https://b.example', '\nhttps://b.example'],
  ['post_content,post_link,Link', ',https://b.example', '\nhttps://b.example'],
])('“post_link” is where a post is in a plan with %s', async (names, link, text) => {
  const row = `A,https://linkedin.com/posts/1${link},2026-12-01 09:00,X`;
  const { checked } = await check([`${names},${link === ',' ? 'Notes,' : ''}Date,Platform`, row]);
  expect(checked.map(({ post }) => post.text)).toEqual([`A${text}`]);
});

test.each(['Date - Intl. format or prompt', 'Date – Intl. format or prompt', 'date_intl_format_or_prompt'])(
  'Publer’s date is known as “%s”',
  async (name) => {
    const { columns } = await check([`${name},Text`, '2026-12-01 09:00,A']);
    expect(columns.when).toMatchObject({ name });
  },
);
