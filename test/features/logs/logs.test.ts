import { describe, expect, test } from 'vitest';
import { filterLog, formatLogCsv, renderLogLine, sortNewestFirst } from '../../../src/features/logs/logs.ts';
import { parseListSearch } from '../../../src/lists/list.ts';
import { NOW } from '../../support/bot.ts';
import { expectParts } from '../../support/form-steps.ts';
import { startPracticeService } from '../../support/practice-service.ts';
import { readExportedCsv } from '../../support/read-exported-csv.ts';
import { data } from '../../support/scripted-service.ts';
import { failSlack, setUpBot } from '../../support/set-up-bot.ts';
import { ask, pressAndSee } from '../../support/steps.ts';

const { running, startBot } = setUpBot();

async function typeAsAna(command: string) {
  const person = running.workspace.as('Ana').in('#general');
  await person.type(command);
  return person;
}

const DAY_MS = 86_400_000;
const createLines = (count: number, changes: object = {}) =>
  Array.from({ length: count }, (_, index) => ({
    Id: `log_${index}`,
    CreatedAt: new Date(NOW.getTime() - index * DAY_MS).toISOString(),
    Event: 'post.created',
    Message: `post_${index} was created.`,
    ...changes,
  }));

async function startWithLines(lines: unknown) {
  await startBot();
  running.service.on('GET /logs', data(lines));
}

test('the log shows the events in the reader’s zone', async () => {
  const service = await startPracticeService({ now: () => NOW });
  await startBot({ service, isEmulated: true });
  const headers = { authorization: `Bearer ${service.token}`, 'content-type': 'application/json' };
  const response = await fetch(`${service.url}/api/v1/projects`, { headers });
  const { data: projects } = (await response.json()) as { data: { Id: string; Name: string }[] };
  const project = projects.find(({ Name }) => Name === 'Harbour Coffee')?.Id;
  const url = `${service.url}/api/v1/projects/${project}/prompts`;
  await fetch(url, { method: 'POST', headers, body: JSON.stringify({ Title: 'T', PromptText: 'P' }) });
  const person = await typeAsAna('/list-logs prompt today harbour coffee');
  await person.sees('Log of Harbour Coffee with “prompt”, Fri 20 Nov');
  expect(person.messages().at(-1)).toMatch(/ · A prompt was created\.$/m);
  expect(person.messages().at(-1)).toContain('Fri 20 Nov, ');
  await service.close();
});

test('another page replaces the current page in the same message', async () => {
  await startWithLines(createLines(30));
  const person = await typeAsAna('/list-logs');
  await person.sees('30 lines, 1 to 14, newest first');
  const earlierCount = person.messages().length;
  await pressAndSee(person, 'Next page', '15 to 28');
  await pressAndSee(person, 'Next page', '29 to 30');
  expect(person.messages()).toHaveLength(earlierCount);
});

test('the log can be filtered by text and day, in the reader’s order of day and month', async () => {
  await startWithLines(createLines(30));
  const person = await typeAsAna('/upnext logs post_3 last 7 days');
  await person.sees('one line, newest first');
  expect(person.messages().at(-1)).toMatch(/Tue 17 Nov, .* · A post was created\./);
  await pressAndSee(person, 'Show all', '30 lines');
  await (await typeAsAna('/list-logs post 11/12')).sees('with “post”, Fri 11 Dec (Lisbon)');
});

test('an empty result offers all lines', async () => {
  await startWithLines(createLines(3));
  const person = await typeAsAna('/list-logs nothing like it');
  await person.sees('I found no line in the Harbour Coffee log with “nothing like it”.');
  await pressAndSee(person, 'Show all', '3 lines');
});

test('an empty log says that it is empty', async () => {
  await startWithLines([]);
  await (await typeAsAna('/list-logs')).sees('The Harbour Coffee log is empty.');
});

test('lines of unknown shape are readable, and unreadable records are counted', async () => {
  await startWithLines([{ level: 'warn', code: 7, nested: { a: [1] } }, 'just text', null, 7, { Id: 'x' }]);
  const person = await typeAsAna('/list-logs');
  await person.sees('level: warn, code: 7, nested: {"a":[1]}');
  expectParts(person.messages().at(-1), 'just text', '3 more couldn’t be read.');
  await person.press('Export as CSV');
  await (await person.inDirectMessage()).sees('these are only some');
  await ask(person, '/list-logs zebra', 'I read 2 lines.');
});

test('an unreadable answer is reported, with a button to try again', async () => {
  await startWithLines(7);
  const person = await typeAsAna('/list-logs yesterday');
  await person.sees('I can’t read its answer');
  running.service.on('GET /logs', data(createLines(3)));
  await pressAndSee(person, 'Try again', 'one line');
});

describe('an exported log', () => {
  async function readCsv(person: Awaited<ReturnType<typeof typeAsAna>>): Promise<string> {
    await person.sees('Sent to you as a direct message');
    const { name, text } = await readExportedCsv(running);
    expect(name).toBe('log-harbour-coffee-2026-11-20.csv');
    return text;
  }

  test('a CSV file has all matching lines, and is sent only to the actor', async () => {
    await startWithLines([
      ...createLines(40),
      { Message: '=HYPERLINK("evil")', CreatedAt: NOW.toISOString() },
    ]);
    const person = await typeAsAna('/list-logs');
    await person.press('Export as CSV');
    const csv = await readCsv(person);
    expect(csv.split('\r\n')).toHaveLength(43);
    expectParts(csv, 'Time (Europe/Lisbon),Event,Who', `"'=HYPERLINK(""evil"")"`);
    expect(running.workspace.as('Ben').in('#general').messages().join()).not.toContain('CSV');
    await (await person.inDirectMessage()).sees('The service may have older ones');
  });

  test('a CSV file that was sent isn’t called failed if Slack refuses the message after it', async () => {
    await startWithLines(createLines(3));
    const person = await typeAsAna('/list-logs');
    await person.sees('[Export as CSV]');
    failSlack(running, { method: 'chat.postMessage', fault: 'error', error: 'ratelimited' });
    await pressAndSee(person, 'Export as CSV', 'Sent to you as a direct message.', 'as CSV: 3 lines.');
  });

  test('a CSV file of some days says which lines it leaves out', async () => {
    await startWithLines([
      ...createLines(1),
      { Message: 'undated' },
      { Message: 'odd', CreatedAt: 'soonish' },
    ]);
    const person = await typeAsAna('/list-logs today');
    await person.press('Export as CSV');
    await (await person.inDirectMessage()).sees(
      'one line. 1 without a date is left out. 1 with an unreadable date is left out.',
    );
  });

  test('a CSV file has up to 5,000 lines', async () => {
    await startWithLines(createLines(5_000, { Message: 'm'.repeat(300) }));
    const person = await typeAsAna('/list-logs');
    await person.sees('5000 lines, 1 to 14');
    expect(person.messages().at(-1)).not.toContain('There are more');
    await person.press('Export as CSV');
    expect((await readCsv(person)).split('\r\n')).toHaveLength(5_002);
  });

  test('a CSV file has the first 5,000 of 10,000 lines, and says that there are more', async () => {
    await startWithLines(createLines(10_000, { Message: 'm'.repeat(300) }));
    const person = await typeAsAna('/list-logs');
    await person.sees('I can read only the first 5000 lines that the service lists. There are more');
    await person.press('Export as CSV');
    expect((await readCsv(person)).split('\r\n')).toHaveLength(5_002);
    await (await person.inDirectMessage()).sees('these are only some');
  });
});

test.each([
  ['markup and control characters as', '<!channel> <@U1> *x* & <http://evil|good> \u202e\u0000'],
  ['huge', 'x'.repeat(40_000)],
  ['right-to-left and emoji', 'שלום 🎉👩‍👩‍👧‍👦 '.repeat(300)],
])('the log shows lines with %s text', async (_kind, Message) => {
  await startWithLines(createLines(20, { Message, User: { Name: Message } }));
  await (await typeAsAna('/list-logs')).sees('20 lines, 1 to 14');
});

const createDate = (iso: string) => new Date(iso);

test('a line shows time, event, message and user, in the reader’s zone', () => {
  const entry = {
    at: createDate('2026-11-20T08:00:00Z'),
    kind: 'post.created',
    message: 'post_7 was created.',
    actor: 'Ana',
  };
  expect(renderLogLine(entry, 'Europe/Berlin', NOW)).toBe('Fri 20 Nov, 09:00 · A post was created. · Ana');
});

test('a line has readable text instead of ids and internal names', () => {
  const renderEntry = (entry: Parameters<typeof renderLogLine>[0]) =>
    renderLogLine({ at: createDate('2026-11-20T08:00:00Z'), ...entry }, 'UTC', NOW);
  expect(renderEntry({ kind: 'webhook.failed', message: 'Connection refused', actor: 'user_7' })).toBe(
    'Fri 20 Nov, 08:00 · Webhook failed · Connection refused',
  );
  expect(renderEntry({ message: 'user_3 is now ADMIN and ACTIVE.' })).toContain(
    'A user is now admin and active.',
  );
  expect(renderEntry({ message: 'Post 0b9d7a52-6c1e-4f0e-9a35-2f6f3d7f8c11 failed: BIG SALE' })).toContain(
    'Post … failed: BIG SALE',
  );
});

test('a line has no line breaks or direction marks', () =>
  expect(renderLogLine({ message: 'a\nb\u202ec' }, 'UTC', NOW)).toBe('no date · a bc'));

test('the newest lines come first, and lines without a date last', () => {
  const lines = [
    { message: 'x' },
    { message: 'old', at: createDate('2026-01-01') },
    { message: 'new', at: createDate('2026-02-01') },
  ];
  expect(sortNewestFirst(lines).map(({ message }) => message)).toEqual(['new', 'old', 'x']);
});

describe('a filter', () => {
  const lines = [
    { message: 'Source was updated', actor: 'Ana', at: createDate('2026-11-19T23:30:00Z') },
    { message: 'Post was made', at: createDate('2026-11-18T10:00:00Z') },
    { message: 'Source lost', details: 'Code: E7' },
  ];

  test('a filter finds lines that contain all its words, in any field', async () => {
    expect((await filterLog(lines, { words: 'SOURCE “ana”' })).items).toEqual([lines[0]]);
    expect((await filterLog(lines, { words: 'e7' })).items).toEqual([lines[2]]);
  });

  test('a filter includes both ends of its range, and counts lines without a date', async () => {
    const range = {
      from: createDate('2026-11-19T23:30:00Z'),
      to: createDate('2026-11-19T23:30:00Z'),
    };
    expect(await filterLog(lines, { words: 'source', ...range })).toEqual({
      items: [lines[0]],
      undatedCount: 1,
      unreadableDateCount: 0,
    });
    const unreadableLine = { message: 'source', hasUnparsedDate: true as const };
    expect(await filterLog([...lines, unreadableLine], { words: 'source', ...range })).toMatchObject({
      undatedCount: 1,
      unreadableDateCount: 1,
    });
    expect(renderLogLine(unreadableLine, 'UTC', NOW)).toBe('unreadable date · source');
  });

  test('days in the text of a filter are resolved in the reader’s zone', () => {
    const search = parseListSearch('source updates yesterday', {
      now: NOW,
      zone: 'Europe/Berlin',
      locale: 'en-GB',
    });
    expect(search).toMatchObject({
      kind: 'parsed',
      search: { words: 'source updates', from: createDate('2026-11-18T23:00:00Z') },
    });
  });
});

describe('CSV', () => {
  const formatRow = (message: string) => formatLogCsv([{ message, id: '1' }], 'UTC').split('\r\n')[1];

  test('a CSV file starts with a byte order mark, and has a row for each line', () => {
    const line = { at: NOW, kind: 'k', actor: 'Zoë', message: 'm', details: 'a: 1', id: '1' };
    const csv = formatLogCsv([line], 'Europe/Berlin');
    expect(csv).toBe(
      '\ufeffTime (Europe/Berlin),Event,Who,Message,Details,Id\r\n2026-11-20 13:00:00,k,Zoë,m,a: 1,1\r\n',
    );
  });

  test('a time that the clock shows twice has its offset', () => {
    const twice = ['2026-10-25T00:30:00Z', '2026-10-25T01:30:00Z'].map((at) => ({
      ...{ at: new Date(at), message: 'm' },
    }));
    const csv = formatLogCsv(twice, 'Europe/Berlin');
    expectParts(csv, '2026-10-25 02:30:00 +02:00,', '2026-10-25 02:30:00 +01:00,');
  });

  const asciiFormulas = ['=1+1', '+1', '-1', '@SUM(A1)', ' =1', '\t=1', '\u200b=1', '\u0000=1'];
  const unicodeFormulas = ['＝1', '＋1', '－1', '＠SUM(A1)', '﹦1', '﹢1', '﹣1', '﹫SUM(A1)', '\u3000﹦1'];
  test.each([...asciiFormulas, ...unicodeFormulas])('the text %j doesn’t become a formula', (text) =>
    expect(formatRow(text)?.replace(/^,,,"?/, '')).toMatch(/^'/),
  );

  test.each(['1=1', 'ﬁrst ﹢1', '½'])('the text %j stays unchanged', (text) =>
    expect(formatRow(text)).toBe(`,,,${text},,1`),
  );

  test('quotes, commas, line breaks and control characters stay in their CSV cell', () =>
    expect(formatRow('say "hi", you\nand\u0000 \ud800')).toBe(',,,"say ""hi"", you\nand �",,1'));
});
