import { expect, test } from 'vitest';
import { RATES, type Rates } from '../../../src/slack/rate-limits.ts';
import { showMoreOptions } from '../../support/filled-form.ts';
import { fillIn, submitWith } from '../../support/form-steps.ts';
import { data, listProjects } from '../../support/scripted-service.ts';
import { setUpBot } from '../../support/set-up-bot.ts';
import { ask, askAndPress, askForForm } from '../../support/steps.ts';

const { database, running, startBot } = setUpBot();

const findMember = (name: string) => running.workspace.as(name).in('#harbour-coffee');
const countOccurrences = (name: string, text: string) => findMember(name).read().split(text).length - 1;
const listLimitLines = () => running.logged.filter((line) => line.startsWith('rate limit reached'));

/** Starts a bot with limits per member that practically aren't refilled while a test runs. */
async function startWithLimits(bursts: Partial<Record<keyof Rates, number>>): Promise<void> {
  const createRate = (limit: keyof Rates) => ({
    ...RATES[limit],
    member: [{ burst: bursts[limit] ?? Number.POSITIVE_INFINITY, perSecond: 1 / 600 }],
  });
  const rates = {
    request: createRate('request'),
    typing: createRate('typing'),
    parsing: createRate('parsing'),
    costly: createRate('costly'),
  };
  await startBot({ rates });
  running.service.on('GET /projects', listProjects('Harbour Coffee'));
  running.service.on('GET /upnext-post', data({ Id: 'a', Content: 'New roast', Platforms: ['X'] }));
}

test('a member whose commands exceed the limit reads when to continue, and other members are served', async () => {
  await startWithLimits({ request: 2 });
  for (let times = 0; times < 5; times += 1) await findMember('Ana').type('/upnext projects');
  await findMember('Ana').sees('That’s too many requests in a short time, so nothing was done. Try again in');
  expect(countOccurrences('Ana', 'too many requests')).toBe(3);
  expect(running.service.calls.length).toBe(2);
  await ask(findMember('Ben'), '/upnext projects', 'One project');
  expect(listLimitLines()).toHaveLength(1);
  expect(listLimitLines()[0]).toContain('"limit":"request","scope":"member"');
});

test('a form over the limit stays open with its content', async () => {
  await startWithLimits({ request: 2 });
  const form = await askForForm(findMember('Ana'), '/schedule-post', 'Schedule a post');
  const { view } = await submitWith(form, { Text: 'We open at nine', Platforms: ['X'], When: '1 Dec 9am' });
  expect(view?.text()).toContain('Your form is still here: go back and submit it again in');
  await view?.close();
  expect(form.value('Text')).toBe('We open at nine');
  expect(running.service.created()).toEqual([]);
});

test('presses over the limit are answered with a single message', async () => {
  await startWithLimits({ request: 1 });
  await ask(findMember('Ana'), '/upnext', 'New roast');
  for (let times = 0; times < 5; times += 1) await findMember('Ana').press('Refresh');
  await findMember('Ana').sees('too many requests');
  expect(countOccurrences('Ana', 'too many requests')).toBe(1);
});

test('a menu over the limit shows a notice that can’t be chosen', async () => {
  await startWithLimits({ typing: 0 });
  const form = await askForForm(findMember('Ana'), '/schedule-post', 'Schedule a post');
  await showMoreOptions(findMember('Ana'), form);
  const [notice, ...others] = await form.search('Template', 'a');
  expect(notice).toMatch(/^Too many searches: type on in \d+ seconds$/);
  expect(others).toEqual([]);
});

test('dates that are slow to parse are limited for each member, and the form keeps its content', async () => {
  await startWithLimits({ parsing: 1 });
  running.service.on('GET /posts', data([]));
  const form = await askForForm(findMember('Ana'), '/schedule-post', 'Schedule a post');
  await ask(findMember('Ana'), '/upnext posts next week', 'There are no Harbour Coffee posts');
  await fillIn(form, { When: 'tomorrow 9am', Text: 'We open at nine', Platforms: ['X'] });
  const notice = await findMember('Ana').modal('Upnext');
  expect(notice.text()).toContain('You’ve written more words than I can read in a short time');
  await notice.close();
  const { view } = await form.submit();
  expect(view?.text()).toContain('Your form is still here: go back and submit it again in');
  await view?.close();
  expect(form.value('Text')).toBe('We open at nine');
  expect(running.service.created()).toEqual([]);
  await ask(findMember('Ben'), '/upnext posts next week', 'There are no Harbour Coffee posts');
});

test('sharing posts has a separate limit', async () => {
  await startWithLimits({ costly: 1 });
  await askAndPress(findMember('Ana'), '/upnext', 'Share with channel', 'Shared with #harbour-coffee.');
  await askAndPress(findMember('Ana'), '/upnext', 'Share with channel');
  await findMember('Ana').sees('You’ve asked for many files, previews and messages in a short time');
});

test('workspace events are handled even if a member is over a limit', async () => {
  await startWithLimits({ request: 1 });
  await ask(findMember('Ana'), '/upnext digest weekdays 8:30 in Berlin for Harbour Coffee', 'Saved.');
  await ask(findMember('Ana'), '/upnext', 'too many requests');
  running.workspace.admin.archive('#harbour-coffee');
  const readStates = async () =>
    (await database.db.selectFrom('digest').select('state').execute()).map(({ state }) => state);
  await expect.poll(readStates).toEqual(['paused']);
});
