import { describe, expect, test } from 'vitest';
import { NOW } from '../../support/bot.ts';
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

test('the log can be filtered by text and day, and ambiguous days cause a question', async () => {
  await startWithLines(createLines(30));
  const person = await typeAsAna('/upnext logs post_3 last 7 days');
  await person.sees('one line, newest first');
  expect(person.messages().at(-1)).toMatch(/Tue 17 Nov, .* · A post was created\./);
  await pressAndSee(person, 'Show all', '30 lines');
  await (await typeAsAna('/list-logs post 11/12')).sees('Which days do you mean by “11/12”?');
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
  expect(person.messages().at(-1)).toContain('just text');
  expect(person.messages().at(-1)).toContain('3 more couldn’t be read.');
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
    expect(csv).toContain('Time (Europe/Lisbon),Event,Who');
    expect(csv).toContain(`"'=HYPERLINK(""evil"")"`);
    expect(running.workspace.as('Ben').in('#general').messages().join()).not.toContain('CSV');
    await (await person.inDirectMessage()).sees('The service may have older ones');
  });

  test('a CSV file that was sent isn’t called failed if Slack refuses the message after it', async () => {
    await startWithLines(createLines(3));
    const person = await typeAsAna('/list-logs');
    await person.sees('[Export as CSV]');
    failSlack(running, { method: 'chat.postMessage', fault: 'error', error: 'ratelimited' });
    await pressAndSee(person, 'Export as CSV', 'Sent to you as a direct message.');
    await person.sees('as CSV: 3 lines.');
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
