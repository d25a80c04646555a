import { expect, test } from 'vitest';
import { RATES, type Rates } from '../../../src/slack/rates.ts';
import { data } from '../../support/scripted-service.ts';
import { setUpBot } from '../../support/set-up-bot.ts';

const { database, running, startBot } = setUpBot();

const as = (name: string) => running.workspace.as(name).in('#harbour-coffee');
const countOf = (name: string, words: string) => as(name).read().split(words).length - 1;
const limitLines = () => running.logged.filter((line) => line.startsWith('rate limit reached'));

/** Limits for one member that aren't refilled while a test runs. */
async function start(more: Partial<Record<keyof Rates, number>>): Promise<void> {
  const rate = (limit: keyof Rates) => ({
    ...RATES[limit],
    member: [{ burst: more[limit] ?? Number.POSITIVE_INFINITY, perSecond: 1 / 600 }],
  });
  const rates = {
    ...{ request: rate('request'), typing: rate('typing') },
    ...{ parsing: rate('parsing'), costly: rate('costly') },
  };
  await startBot({ rates });
  running.service.on('GET /projects', data([{ Id: 'p1', Name: 'Harbour Coffee' }]));
  running.service.on('GET /upnext-post', data({ Id: 'a', Content: 'New roast', Platforms: ['X'] }));
}

test('commands over the limit do nothing and say when to continue; others are served, and one line is logged', async () => {
  await start({ request: 2 });
  for (let times = 0; times < 5; times += 1) await as('Ana').type('/upnext projects');
  await as('Ana').sees('That’s too many requests in a short time, so nothing was done. Try again in');
  expect(countOf('Ana', 'too many requests')).toBe(3);
  expect(running.service.calls.length).toBe(2);
  await as('Ben').type('/upnext projects');
  await as('Ben').sees('One project');
  expect(limitLines()).toHaveLength(1);
  expect(limitLines()[0]).toContain('"limit":"request","scope":"member"');
});

test('a form over the limit stays open with its content', async () => {
  await start({ request: 2 });
  await as('Ana').type('/schedule-post');
  const form = await as('Ana').modal('Schedule a post');
  await form.fill('Text', 'We open at nine');
  await form.choose('Platforms', ['X']);
  const { view } = await form.submit();
  expect(view?.text()).toContain('Your form is still here: go back and submit it again in');
  await view?.close();
  expect(form.value('Text')).toBe('We open at nine');
  expect(running.service.created()).toEqual([]);
});

test('presses over the limit are answered with a single message', async () => {
  await start({ request: 1 });
  await as('Ana').type('/upnext');
  await as('Ana').sees('New roast');
  for (let times = 0; times < 5; times += 1) await as('Ana').press('Refresh');
  await as('Ana').sees('too many requests');
  expect(countOf('Ana', 'too many requests')).toBe(1);
});

test('a menu over the limit shows a notice that can’t be chosen', async () => {
  await start({ typing: 0 });
  await as('Ana').type('/schedule-post');
  const form = await as('Ana').modal('Schedule a post');
  const [said, ...others] = await form.search('Template', 'a');
  expect(said).toMatch(/^Too many searches: type on in \d+ seconds$/);
  expect(others).toEqual([]);
});

test('slow phrases are limited, the form keeps its content, and others are served', async () => {
  await start({ parsing: 1 });
  running.service.on('GET /posts', data([]));
  await as('Ana').type('/schedule-post');
  const form = await as('Ana').modal('Schedule a post');
  await as('Ana').type('/upnext posts next week');
  await as('Ana').sees('There are no posts of Harbour Coffee');
  await form.fill('When', 'tomorrow 9am');
  await form.fill('Text', 'We open at nine');
  await form.choose('Platforms', ['X']);
  const said = await as('Ana').modal('Upnext');
  expect(said.text()).toContain('You’ve written more words than I can read in a short time');
  await said.close();
  const { view } = await form.submit();
  expect(view?.text()).toContain('Your form is still here: go back and submit it again in');
  await view?.close();
  expect(form.value('Text')).toBe('We open at nine');
  expect(running.service.created()).toEqual([]);
  await as('Ben').type('/upnext posts next week');
  await as('Ben').sees('There are no posts of Harbour Coffee');
});

test('previews, files and shared posts have a separate limit', async () => {
  await start({ costly: 1 });
  await as('Ana').type('/upnext');
  await as('Ana').press('Share with channel');
  await as('Ana').sees('Shared with #harbour-coffee.');
  await as('Ana').type('/upnext');
  await as('Ana').press('Share with channel');
  await as('Ana').sees('You’ve asked for many files, previews and messages in a short time');
});

test('workspace events are handled even if a member is over a limit', async () => {
  await start({ request: 1 });
  await as('Ana').type('/upnext digest weekdays 8:30 in Berlin for Harbour Coffee');
  await as('Ana').sees('Saved.');
  await as('Ana').type('/upnext');
  await as('Ana').sees('too many requests');
  running.workspace.admin.archive('#harbour-coffee');
  const states = async () =>
    (await database.db.selectFrom('digest').select('state').execute()).map(({ state }) => state);
  await expect.poll(states).toEqual(['paused']);
});
