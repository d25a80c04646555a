import type { PracticeService } from 'scheduling-service-emulator';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { NOW } from '../../support/bot.ts';
import { expectValues, fillIn, submitWith } from '../../support/form-steps.ts';
import { startPracticeService } from '../../support/practice-service.ts';
import { setUpBot } from '../../support/set-up-bot.ts';
import { ask, pressForForm } from '../../support/steps.ts';

const { ana, startBot } = setUpBot();
let service: PracticeService & { token: string };

beforeAll(async () => {
  service = await startPracticeService({ now: () => NOW });
});
beforeEach(() => startBot({ isEmulated: true, service }));
afterAll(() => service.close());

/** Types a command where the channel follows Harbour Coffee. */
async function typeInCoffeeChannel(command: string) {
  await ask(ana, '/upnext use Harbour Coffee', 'This channel now follows Harbour Coffee.');
  await ana.type(command);
}

/** Opens the form of a list. */
async function openFilter(command: string) {
  await typeInCoffeeChannel(command);
  return pressForForm(ana, 'Filter', 'Filter posts');
}

/** Opens the form again, from the list in a modal. */
async function reopenFilter() {
  await (await ana.modal('Posts')).press('Filter');
  return ana.modal('Filter posts');
}

test('the filter form starts with the current filter, explains invalid days, and leads to the list', async () => {
  const form = await openFilter('/upnext posts published this week');
  expectValues(form, { 'Which posts': 'Published', Days: 'Mon 16 Nov to Sun 22 Nov (Lisbon)' });
  expect((await submitWith(form, { Days: 'blursday' })).errors.Days).toMatch(/What works: “.+”, “.+”, “.+”/);
  await form.choose('Which posts', ['Drafts without a date', 'Published']);
  expect((await form.submit()).errors['Which posts']).toContain('or with “Drafts with a date”');
  await form.choose('Which posts', ['Drafts without a date']);
  expect((await form.submit()).errors.Days).toContain('Leave this empty');
  await fillIn(form, { 'Which posts': ['Published', 'Scheduled'], Platforms: ['Threads'], Days: 'november' });
  await form.submit();
  const list = await ana.modal('Posts');
  expect(list.text()).toContain(
    'Harbour Coffee: 3 scheduled or published posts on Threads, Sun 1 Nov to Mon 30 Nov (Lisbon)',
  );
  expect((await reopenFilter()).value('Platforms')).toBe('Threads');
});

test('the filter form preselects the project that the channel is named after', async () => {
  await ana.type('/upnext posts filter');
  expect((await ana.modal('Filter posts')).value('Project')).toBe('Harbour Coffee');
});

test('the filter form opens with a command, and its list steps through weeks', async () => {
  await typeInCoffeeChannel('/upnext posts filter');
  await submitWith(await ana.modal('Filter posts'), { Days: 'this week' });
  const list = await ana.modal('Posts');
  await list.press('Next week');
  await expect.poll(() => list.text()).toContain('Mon 23 Nov to Sun 29 Nov');
  await list.press('Open: Cupping on Saturday at 11. Six coffees, one table, no previous knowl…');
  await (await ana.modal('Post')).close();
  expect((await ana.modal('Posts')).text()).toContain('Cupping');
});

test('drafts with and without a date can be chosen separately or together', async () => {
  const form = await openFilter('/upnext posts drafts');
  await ana.sees('Harbour Coffee: 2 drafts');
  expect(form.value('Which posts')).toBe('Drafts with a date, Drafts without a date');
  await submitWith(form, { 'Which posts': ['Drafts with a date'] });
  const list = await ana.modal('Posts');
  expect(list.text()).toContain('There are no Harbour Coffee drafts with a date.');
  expect(list.text()).toContain('Try another filter, or look through all posts.');
  expect((await reopenFilter()).value('Which posts')).toBe('Drafts with a date');
});

test('the filter form reads the days of a whole year', async () => {
  const form = await openFilter('/upnext posts next year');
  expect(form.value('Days')).toBe('Fri 1 Jan 2027 to Fri 31 Dec 2027 (Lisbon)');
  await form.submit();
  expect((await ana.modal('Posts')).text()).toContain('Fri 1 Jan 2027 to Fri 31 Dec 2027 (Lisbon)');
});
