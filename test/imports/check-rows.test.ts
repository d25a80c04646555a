import { describe, expect, test } from 'vitest';
import { formatPostCsv } from '../../src/features/list-posts/export-csv.ts';
import { composePost, postSubmission } from '../../src/features/schedule-post/sent/post-submission.ts';
import { checkRows, findOpenQuestions } from '../../src/imports/check-rows.ts';
import { readHeadless, recognizeColumns } from '../../src/imports/columns.ts';
import type { ImportSettings } from '../../src/imports/import-settings.ts';
import { readTable } from '../../src/imports/read-table.ts';
import { renderProblem } from '../../src/imports/result-files.ts';
import { describePost, type PostFacts } from '../../src/posts/describe-post.ts';
import {
  HELD,
  HELD_REASONS,
  type HeldReason,
  type HeldState,
  LISTED,
  PUBLICATION,
  type PublicationState,
  SENT_REASONS,
  type SentReason,
} from '../../src/posts/state-copy.ts';
import { formatCsv } from '../../src/slack/csv.ts';
import { STATES as SENT_STATES } from '../../src/submissions/submission.ts';
import { createTableBudget } from '../support/table-budget.ts';

const NOW = new Date('2026-11-20T10:15:00Z');
const COFFEE = { id: 'p1', name: 'Harbour Coffee' };
const BIKES = { id: 'p2', name: 'Bikes & Co' };
const SETTINGS: ImportSettings = { zone: 'Europe/Berlin', project: COFFEE, platforms: ['X'] };

async function check(
  text: string,
  settings: Partial<ImportSettings> = {},
  maySchedule: (project: string) => boolean = () => true,
  projects = [COFFEE, BIKES],
) {
  const table = await readTable(new TextEncoder().encode(text), createTableBudget());
  if (table.kind === 'refused') throw new Error(table.reason);
  const firstRow = table.rows[0]?.cells ?? [];
  const columns = (await recognizeColumns(firstRow, [], createTableBudget())) ?? readHeadless(firstRow);
  if (!columns) throw new Error('no columns');
  const rows = columns.hasNames ? table.rows.slice(1) : table.rows;
  const { describeRequest } = postSubmission.post;
  const zone = columns.declaredZone ?? SETTINGS.zone;
  const input = { rows, columns, projects, now: NOW };
  const checked = await checkRows(
    {
      ...{ ...input, settings: { ...SETTINGS, zone, ...settings }, maySchedule },
      workspaceEmoji: new Set(['harbour']),
      compose: composePost,
      describeRequest: (content) => describeRequest(content as never),
    },
    createTableBudget(),
  );
  const questions = await findOpenQuestions(
    { ...input, settings: { zone, ...settings } },
    createTableBudget(),
  );
  return { columns, checked, questions };
}

const summarize = (rows: Awaited<ReturnType<typeof check>>['checked']) =>
  rows.map(({ post, outcome, problems }) =>
    [
      outcome,
      post.moment?.instant.toISOString().slice(0, 16) ?? '',
      post.platforms.join(' '),
      post.text,
      post.media,
      ...problems.map(({ column, problem }) => `${column}: ${problem}`),
    ].join(' | '),
  );

test('an import converts, warns of and refuses what the form does', async () => {
  const { checked } = await check(
    [
      'Text,When,Platforms,Status,Text for X',
      'Nice :tada: day,2026-12-15 09:00,X,,Own :tada:',
      'Only :harbour: here,2026-12-16 09:00,X,,',
      'Hello {{first_name}},2026-12-17 09:00,X,,',
      'An idea :harbour:,2026-12-18 09:00,X,Draft,',
      '**Bold**,2026-12-19 09:00,X,,',
    ].join('\n'),
  );
  const only = 'Only this workspace has this emoji: :harbour:. Replace it, or leave it out.';
  expect(checked.map(({ post, problems, notes }) => [post.text, problems.map(renderProblem), notes])).toEqual(
    [
      ['Nice 🎉 day', [], []],
      ['Only :harbour: here', [`Text: ${only}`], []],
      ['Hello {{first_name}}', [], ['{first_name} will go out with braces. Fill in placeholders first.']],
      ['An idea :harbour:', [], [only]],
      ['**Bold**', [], ['“**” will go out as written. Remove what isn’t meant.']],
    ],
  );
  expect(checked[0]?.post.ownTexts).toEqual({ X: 'Own 🎉' });
});

test('a line break of Office becomes one in every text, and each text is checked for invisible characters', async () => {
  const read = async (character: string) =>
    (
      await check(
        [
          'Text,Text for X,Alt text,Media,Date,Platforms',
          `New${character}roast,For${character}X,Our${character}door,https://example.com/a.jpg,2026-12-01 09:00,"X, LinkedIn"`,
        ].join('\n'),
      )
    ).checked.map(({ post: { text, ownTexts, altText }, problems }) => [
      ...[text, ownTexts?.X, altText],
      ...problems.map(({ column }) => column),
    ]);
  expect(await read('\v')).toEqual([['New\nroast', 'For\nX', 'Our\ndoor']]);
  const [[, , , ...columns] = []] = await read('\b');
  expect(columns.toSorted()).toEqual(['Alt text', 'Text', 'Text for X']);
});

test.each([
  [
    'Buffer',
    'Text,Image URL,Tags,Posting Time\nA new roast,https://example.com/a.jpg,"coffee,new",2026-12-01 09:00\n',
    ['good | 2026-12-01T08:00 | X | A new roast | https://example.com/a.jpg'],
  ],
  [
    'Hootsuite',
    '12/31/2026 09:00,A new roast,https://example.com/roast\n01/02/2027 09:00,Second,\n',
    [
      'good | 2026-12-31T08:00 | X | A new roast\nhttps://example.com/roast | ',
      'good | 2027-01-02T08:00 | X | Second | ',
    ],
  ],
  [
    'Publer',
    'Date - Intl. format or prompt,Text,Link(s) - Separated by comma for FB carousels,Media URL(s) - Separated by comma,Title - For the video\n2026-12-01 09:00,A new roast,,https://example.com/a.jpg,\nnext Friday at 2 PM,Second,https://example.com/b,,\n',
    [
      'good | 2026-12-01T08:00 | X | A new roast | https://example.com/a.jpg',
      'good | 2026-11-27T13:00 | X | Second\nhttps://example.com/b | ',
    ],
  ],
  [
    'Sprout Social',
    'date,time_24hr,message_text\n31/12/2026,14:30,A new roast\n',
    ['good | 2026-12-31T13:30 | X | A new roast | '],
  ],
  [
    'Metricool',
    'Text,Date,Time,Draft,Facebook,Twitter/X,LinkedIn,Picture Url 1,Picture Url 2\nA new roast,2026-12-01,09:00:00,FALSE,FALSE,TRUE,TRUE,https://example.com/a.jpg,\n',
    ['good | 2026-12-01T08:00 | X LINKEDIN | A new roast | https://example.com/a.jpg'],
  ],
  [
    'SocialBee and HighLevel',
    'postAtSpecificTime (YYYY-MM-DD HH:mm:ss),content,link (OGmetaUrl),imageUrls,gifUrl,videoUrls\n2026-12-01 09:00:00,A new roast,,https://example.com/a.jpg,,\n',
    ['good | 2026-12-01T08:00 | X | A new roast | https://example.com/a.jpg'],
  ],
  [
    'Agorapulse',
    'post_content,post_link,video_url,image_url,publication_date\nA new roast,https://example.com/b,,https://example.com/a.jpg,2026-12-01 09:00\n',
    ['good | 2026-12-01T08:00 | X | A new roast\nhttps://example.com/b | https://example.com/a.jpg'],
  ],
  [
    'Ayrshare',
    'post,platforms,mediaUrls,scheduleDate\nA new roast,"twitter, facebook",https://example.com/a.jpg,2026-12-01T09:00:00Z\n',
    ['good | 2026-12-01T09:00 | X FACEBOOK | A new roast | https://example.com/a.jpg'],
  ],
])('files of other tools are read without renaming a column: %s', async (_tool, text, expected) => {
  expect(summarize((await check(text)).checked)).toEqual(expected);
});

test.each([
  ['Publish date,Time', '2026-12-08,17:30', []],
  ['Post Date,Post Time', '2026-12-08,17:30', []],
  ['Send Date,Send Time', '2026-12-08,17:30', []],
  ['Publish on,Time', '2026-12-08,17:30', []],
  ['Date,Scheduled at', '2026-12-08,17:30', []],
  ['Date,Publish at', '2026-12-08,2026-12-08 17:30', []],
  ['Day,Date,Time', 'Friday,2026-12-08,17:30', ['Day']],
  ['Date,Day,Time', '2026-12-08,Fri,17:30', ['Day']],
  ['Day,Time', '2026-12-08,17:30', []],
  ['Timestamp,Date,Time', '2026-11-01 08:00,2026-12-08,17:30', ['Timestamp']],
  ['Date,Time CET', '2026-12-08,17:30', []],
  ['Date,Time (Berlin)', '2026-12-08,17:30', []],
  ['Date,Time - New York', '2026-12-08,11:30', []],
])('the columns %s give the day and the time', async (names, cells, unused) => {
  const { columns, checked } = await check(`${names},Text\n${cells},A\n`);
  expect(checked.map(({ post }) => post.moment?.instant.toISOString())).toEqual(['2026-12-08T16:30:00.000Z']);
  expect(columns.unused).toEqual(unused);
});

test('a number isn’t taken for the text of a post', async () => {
  const { checked } = await check('Post #,Date,Caption\n1,2026-12-01 09:00,A new roast\n');
  expect(checked[0]?.post.text).toBe('A new roast');
});

test('a zone is known by other names, and asked for if it can be several', async () => {
  const { checked } = await check(
    'Time,Time zone,Text\n2026-12-01 09:00,London,A\n2026-12-01 09:00,PST,B\n2026-12-01 09:00,IST,C\n',
  );
  expect(checked.map(({ post, problems }) => problems[0]?.problem ?? post.moment?.zone)).toEqual([
    'Europe/London',
    'America/Los_Angeles',
    'This can be several time zones. Write one like Europe/Berlin.',
  ]);
  const { columns } = await check('Time (IST),Text\n2026-12-01 09:00,A\n');
  expect(columns).toMatchObject({ unclearZone: 'IST' });
  expect(columns.declaredZone).toBeUndefined();
});

test.each([
  ['LinkedIn/X', 'X LINKEDIN'],
  ['Twitter / X', 'X'],
  ['tik tok', 'TIKTOK'],
  ['Facebook Seite', 'FACEBOOK'],
  ['Facebook e X', 'X FACEBOOK'],
  ['ツイッター、フェイスブック', 'X FACEBOOK'],
])('“%s” are the platforms %s', async (cell, platforms) => {
  const { checked } = await check(`Time,Platforms,Text\n2026-12-01 09:00,${cell},A\n`);
  expect(checked.map(({ post }) => post.platforms.join(' '))).toEqual([platforms]);
});

test('hashtags of a column of their own are added below the texts, and errors of a spreadsheet aren’t', async () => {
  const { checked } = await check(
    [
      'Time,Text,Hashtags,Link,Text for X',
      '2026-12-01 09:00,Hello,#coffee #roast,https://example.com/a,',
      '2026-12-02 09:00,Hello,"coffee, roast",,',
      '2026-12-03 09:00,Hello #coffee,#coffee,,',
      '2026-12-04 09:00,Hello,tba?,,',
      '2026-12-05 09:00,Hello,,,',
      '2026-12-06 09:00,Hello,#REF!,,',
      '2026-12-07 09:00,Hello,#coffee,,Short',
      '2026-12-08 09:00,Hello #salesforce,#sale,,',
      '2026-12-09 09:00,"Hello #Roast, #coffee!","#coffee, #roast #new",,',
    ].join('\n'),
  );
  expect(checked.map(({ post, problems }) => [post.text, ...problems.map(renderProblem)])).toEqual([
    ['Hello\nhttps://example.com/a\n#coffee #roast'],
    ['Hello\n#coffee #roast'],
    ['Hello #coffee'],
    ['Hello\ntba?'],
    ['Hello'],
    [expect.any(String), 'Hashtags “#REF!”: This is an error of the spreadsheet. Write the text.'],
    ['Hello\n#coffee'],
    ['Hello #salesforce\n#sale'],
    ['Hello #Roast, #coffee!\n#new'],
  ]);
  expect(checked.at(-3)?.notes).toEqual(['The hashtags aren’t in the text for X.']);
});

test('of several links in a cell the first one is taken', async () => {
  const links = 'https://example.com/a.jpg, https://example.com/b.jpg';
  const { checked } = await check(`Time,Media,Text\n2026-12-01 09:00,"${links}",A\n`);
  expect(checked.map(({ outcome, post, notes }) => [outcome, post.media, notes])).toEqual([
    ['good', 'https://example.com/a.jpg', ['Only the first media link is imported.']],
  ]);
});

test('a problem names its value, also if what to write has it too', () => {
  const problem = { column: 'Platforms', value: 'Pin', problem: 'Write Pinterest.' };
  expect(renderProblem(problem)).toBe('Platforms “Pin”: Write Pinterest.');
});

describe('a row with a problem', () => {
  test('says the row, the column, the value and what to do', async () => {
    const { checked } = await check(
      [
        'When,Platforms,Project,Status,Text,Media',
        '2026-12-01 25:00,Mastodon,Harbor,maybe,A,C:\\pictures\\a.jpg',
        ',Instagram,,,B,',
        '2026-12-01 09:00,X,,,,',
      ].join('\n'),
    );
    expect(
      checked.map(({ number, problems }) => [
        number,
        ...problems.map(({ column, value, problem }) => [column, value, problem].join(' | ')),
      ]),
    ).toEqual([
      [
        2,
        'Project | Harbor | I don’t know this project, or you have no access to it. Write its exact name.',
        'Status | maybe | I don’t know this status. Write Scheduled or Draft, or leave it empty.',
        'Platforms | Mastodon | I don’t know this platform. Write X, LinkedIn, Instagram, Facebook, Threads, YouTube, TikTok, Pinterest, Reddit or Telegram.',
        'When | 2026-12-01 25:00 | I don’t understand “2026-12-01 25:00”. Write it like 2026-12-01 09:00.',
        'Media | C:\\pictures\\a.jpg | The service can’t open files on a computer. Enter a link to an image or video, such as https://example.com/photo.jpg.',
      ],
      [
        3,
        'When |  | There’s no time. Write one like 2026-12-01 09:00, or Draft as the status.',
        'Media |  | Instagram needs media. Add it, or remove Instagram.',
      ],
      [4, 'Text |  | There’s no text. Write one.'],
    ]);
  });

  test('is a copy of an earlier row, or one that isn’t to be imported', async () => {
    const { checked } = await check(
      'When,Status,Text\n2026-12-01 09:00,,A\n2026-12-01 09:00,,A\n2026-11-01 09:00,Published,Old\n,Example,Replace me\n',
    );
    expect(checked.map(({ outcome, notes }) => [outcome, ...notes])).toEqual([
      ['good'],
      ['equal', 'Same as row 2.'],
      ['skipped'],
      ['skipped'],
    ]);
  });
});

test.each([
  ['Twin', 'Several projects have this name. Write the ID of one.'],
  ['p8', 'p8'],
  ['AB', 'Several projects have this name. Write the ID of one.'],
  ['aB', 'aB'],
])('a row’s project “%s” is %s: an exact ID wins', async (name, expected) => {
  const projects = [
    ...[COFFEE, { id: 'p8', name: 'Twin' }, { id: 'p9', name: 'twin' }, { id: 'p7', name: 'p8' }],
    ...[
      { id: 'aB', name: 'Tea' },
      { id: 'Ab', name: 'Bikes' },
    ],
  ];
  const file = `Time,Project,Text\n1 Dec 2026 9:00,${name},One`;
  const { checked } = await check(file, { project: undefined }, () => true, projects);
  expect(checked.map(({ post, problems }) => problems[0]?.problem ?? post.project.id)).toEqual([expected]);
});

test.each([
  ['2026-12-01 09:00,,', true],
  ['tomorrow 9am,,', true],
  ['next slot after friday,,', true],
  ['2026-12-01 09:00,Asia/Tokyo,', false],
  ['2026-12-01T09:00:00+01:00,,', false],
  ['2026-12-01 09:00 UTC,,', false],
  ['1 Dec 9am Berlin,,', false],
  ['in 2 hours,,', false],
  ['next slot,,', false],
  ['soonish,,', false],
  [',,Draft', false],
])('whether the zone of “%s” is asked for: %s', async (cells, isAsked) => {
  const { questions } = await check(`Time,Time zone,Status,Text\n${cells},A`, { zone: undefined });
  expect(questions.zone).toBe(isAsked);
});

test('a row to correct keeps its own zone', async () => {
  const { checked } = await check(
    'Time,Time zone,Text\nsoonish,Asia/Tokyo,A\n2026-12-01 09:00,Mars/Base,B\n,Asia/Tokyo,C',
  );
  expect(checked.map(({ post }) => [post.zone, post.moment?.zone])).toEqual([
    ['Asia/Tokyo', undefined],
    ['Mars/Base', undefined],
    ['Asia/Tokyo', undefined],
  ]);
});

test('what the file doesn’t say is asked once', async () => {
  const { questions } = await check('Date,Text\n03/04/2027 9:00,A\n', {
    project: undefined,
    platforms: undefined,
  });
  expect(questions).toEqual({ project: true, platforms: true, zone: false, date: '03/04/2027 9:00' });
  const declared = await check('Date (DD/MM/YYYY),Text\n03/04/2027 9:00,A\n');
  expect(declared.questions.date).toBeUndefined();
  expect(declared.checked[0]?.post.moment?.instant.toISOString()).toBe('2027-04-03T07:00:00.000Z');
});

test('a cell that would be a formula is text, and harmless in an export', async () => {
  const texts = ['=1+1', '+49 30 1', '-5 %', '@ana', "'=quoted", "''@twice", '\t=tab', 'a\n=b'];
  const rows = texts.map((text) => ['2026-12-01 09:00', text]);
  const csv = formatCsv([['When', 'Text'], ...rows]);
  for (const line of csv.split('\r\n').slice(1)) expect(line).not.toMatch(/,"?\s*[=+\-@]/);
  expect((await check(csv)).checked.map(({ post }) => post.text)).toEqual(texts);
});

test('what Upnext exports is imported unchanged', async () => {
  const posts = [
    {
      content: '=SUM(A1)\n"Two" lines, ünïcode ☕',
      media: 'https://example.com/a.jpg',
      platforms: ['X', 'LINKEDIN'],
      status: 'SCHEDULED',
      at: '2026-12-01T08:00:30Z',
      timezone: 'America/New_York',
    },
    {
      content: 'In review',
      platforms: ['FACEBOOK'],
      status: 'REVIEW',
      at: '2027-10-31T00:30:00Z',
      timezone: 'Europe/Berlin',
    },
    {
      content: 'The second of two',
      platforms: ['FACEBOOK'],
      status: 'HELD',
      at: '2027-10-31T01:30:00Z',
      timezone: 'Europe/Berlin',
    },
    { content: 'A draft without a time', platforms: [], status: 'DRAFT' },
    {
      content: 'Over',
      platforms: ['X'],
      status: 'PUBLISHED',
      at: '2026-11-01T08:00:00Z',
      timezone: 'Europe/Berlin',
    },
  ];
  const listed = posts.map(({ at, ...post }) => ({
    post: { ...post, ...(at !== undefined && { scheduleDate: new Date(at) }) },
  }));
  const csv = formatPostCsv(BIKES, listed as never, { names: new Map(), zone: 'Europe/Berlin', now: NOW });
  const { columns, checked, questions } = await check(csv, { project: undefined, platforms: undefined });
  expect(columns.unused).toEqual([]);
  expect(questions).toEqual({ project: false, platforms: false, zone: false });
  expect(checked.map(({ outcome }) => outcome)).toEqual(['good', 'good', 'good', 'good', 'skipped']);
  expect(
    checked
      .slice(0, 4)
      .map(({ post: { text, media, platforms, moment, isDraft, project } }) => [
        text,
        media,
        platforms,
        moment?.instant.toISOString(),
        moment?.zone,
        isDraft,
        project,
      ]),
  ).toEqual(
    posts
      .slice(0, 4)
      .map(({ content, media = '', platforms, at, timezone, status }) => [
        content,
        media,
        platforms,
        at === undefined ? undefined : new Date(at).toISOString(),
        timezone,
        status === 'DRAFT',
        BIKES,
      ]),
  );
});

/** The names of all states that a post of Upnext's lists can have. */
function listStateNames(): string[] {
  const reasons = [null, ...(Object.keys(HELD_REASONS) as HeldReason[])];
  const sentReasons = [null, ...(Object.keys(SENT_REASONS) as SentReason[])];
  const facts: PostFacts[] = [
    ...(Object.keys(HELD) as HeldState[]).flatMap((state) =>
      reasons.map((reason) => ({ held: { state, reason } })),
    ),
    ...SENT_STATES.flatMap((state) => sentReasons.map((reason) => ({ sent: { state, reason } }))),
    ...Object.keys(LISTED).map((status) => ({ status })),
    ...(Object.keys(PUBLICATION) as PublicationState[]).map((publication) => ({ publication })),
    { held: { state: 'held', reason: null }, isStopped: true, leadMinutes: 60 },
    { held: { state: 'held', reason: null }, leadMinutes: 60 },
    { held: { state: 'delivered', reason: null }, parts: { sent: ['X'], others: ['LINKEDIN'], total: 2 } },
  ];
  return [...new Set(facts.map((each) => describePost(each, { viewers: 'everyone', now: NOW }).name))];
}

test('every state of an export is known: posts are kept or drafts again, or they are over or on their way', async () => {
  const names = listStateNames();
  const lines = names.map((name, index) => `2026-12-01 09:00,"${name}",Post ${index}`);
  const { checked } = await check(['Time,Status,Text', ...lines].join('\n'));
  const outcomes = Map.groupBy(checked, ({ outcome, post }) =>
    outcome === 'good' && post.isDraft ? 'draft' : outcome,
  );
  const listNames = (outcome: string) =>
    (outcomes.get(outcome as never) ?? []).map(({ number }) => names[number - 2]).toSorted();
  expect(listNames('faulty')).toEqual([]);
  expect(listNames('draft')).toEqual(['Changes requested', 'Draft', 'Rejected']);
  expect(listNames('good')).toEqual([
    ...['Editable', 'For another service', 'Needs a decision', 'Nobody may schedule it', 'Not accepted'],
    ...['Not allowed', 'Not approved in time', 'Not sent', 'Overdue', 'Scheduled', 'Stopped'],
    ...['Switched off', 'Taken back', 'Waiting for review'],
  ]);
});

describe('a text for a platform', () => {
  /** What becomes of rows with these cells after the time, and of columns that aren’t used. */
  async function read(names: string, rows: readonly string[]) {
    const lines = rows.map((row) => `2026-12-01 09:00,${row}`);
    const { columns, checked } = await check([`Time,${names}`, ...lines].join('\n'), {
      platforms: undefined,
    });
    const texts = checked.map(({ outcome, post, problems, notes }) => [
      ...[outcome, post.platforms.join(' ')],
      ...Object.entries(post.ownTexts ?? {}).map(([platform, text]) => `${platform}: ${text}`),
      ...[...problems.map(({ column, problem }) => `${column}: ${problem}`), ...notes],
    ]);
    return [...columns.unused.map((name) => `${name} isn’t used`), ...texts.map((each) => each.join(' | '))];
  }

  const BOTH = '"X, LinkedIn",A long story';
  test.each([
    [
      ...[
        'has a column of its own, and makes another post of the same main text',
        'Text for X,LinkedIn caption',
      ],
      [`${BOTH},Short,`, `${BOTH},Shorter,`],
      ['good | X LINKEDIN | X: Short', 'good | X LINKEDIN | X: Shorter'],
    ],
    [
      ...['of a platform that the row doesn’t have is named, and not used', 'Text for X'],
      ['LinkedIn,Hello,Short'],
      ['good | LINKEDIN | X: Short | X isn’t among the platforms, so that text isn’t used.'],
    ],
    [
      ...['that only says yes or no is a problem', 'Facebook content'],
      ['Facebook,Hello,TRUE', 'X,Hello,'],
      [
        'faulty | FACEBOOK | FACEBOOK: TRUE | Facebook content: This column is for texts. If it says which posts go to Facebook, name it “Facebook”.',
        'good | X',
      ],
    ],
    ['may be “yes”', 'Text for X', ['X,A,Yes', 'X,B,No way'], ['good | X | X: Yes', 'good | X | X: No way']],
    [
      ...['is taken from the first of two columns, and the other one is named', 'Text for X,X caption'],
      ['X,Hello,One,Two'],
      ['X caption isn’t used', 'good | X | X: One'],
    ],
  ] as const)('%s', async (_what, names, rows, expected) => {
    expect(await read(`Platforms,Text,${names}`, rows)).toEqual(expected);
  });

  test('is checked for its platform, and the main text for the others', async () => {
    const long = 'a'.repeat(281);
    expect(
      await read('Platforms,Text,Text for X', [`"X, LinkedIn",${long},Short`, `X,Hello,${long}`]),
    ).toEqual([
      'good | X LINKEDIN | X: Short',
      expect.stringContaining('Text for X: X: 1 character too long.'),
    ]);
  });

  test('isn’t in a column that says whether the post goes there', async () => {
    expect(await read('Text,Post on Facebook,Post to X', ['Hello,TRUE,no'])).toEqual(['good | FACEBOOK']);
  });

  test('is exported and imported unchanged', async () => {
    const post = {
      ...{ content: 'A long story', platforms: ['X', 'LINKEDIN', 'THREADS'], status: 'HELD' },
      ownTexts: [{ platforms: ['X', 'THREADS'], text: '=Short\n“text”' }],
      ...{ scheduleDate: new Date('2026-12-01T08:00:00Z'), timezone: 'Europe/Berlin' },
    };
    const csv = formatPostCsv(BIKES, [{ post }], { names: new Map(), zone: 'Europe/Berlin', now: NOW });
    const { columns, checked } = await check(csv, { project: undefined, platforms: undefined });
    expect(columns.unused).toEqual([]);
    expect(checked.map(({ outcome, post: { text, ownTexts } }) => [outcome, text, ownTexts])).toEqual([
      ['good', 'A long story', { X: '=Short\n“text”', THREADS: '=Short\n“text”' }],
    ]);
  });
});
