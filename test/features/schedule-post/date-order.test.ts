import { expect, test } from 'vitest';
import { noteUsedOrder } from '../../../src/preferences/date-order.ts';
import { fillIn } from '../../support/form-steps.ts';
import { setUpBot } from '../../support/set-up-bot.ts';
import { ask, askForForm } from '../../support/steps.ts';

const { ana, database, running } = setUpBot({});

const ANA = { workspace: 'T01HARBOUR', user: 'U01ANAFERR' };

/** Ana’s Slack is in English (UK), and she lives in Lisbon. */
const useMonthFirst = () => noteUsedOrder(database.db, ANA, '12/25');

async function openForm() {
  const form = await askForForm(ana, '/schedule-post', 'Schedule a post');
  await fillIn(form, { Text: 'We open at nine', Platforms: ['X'] });
  return { ana, form };
}

test('a date that can be read in two orders is asked about once, and then read as it was answered', async () => {
  await useMonthFirst();
  const { ana, form } = await openForm();
  await form.fill('When', '5/12 9am');
  await ana.sees(
    'Which time did you mean? Times are in Lisbon, and I’ll remember the order of day and month.',
  );
  await form.press('Sat 5 Dec, 09:00');
  await ana.sees('From now on I read your dates in this order.');
  expect(form.value('When')).toBe('Sat 5 Dec, 09:00 (Lisbon)');
  await form.submit();
  await ana.sees('Scheduled ·');
  expect(running.service.created()).toMatchObject([{ ScheduleDate: '2026-12-05T09:00:00+00:00' }]);
  const { form: next } = await openForm();
  await next.fill('When', '6/12 9am');
  await ana.sees('Sun 6 Dec, 09:00 (Lisbon)');
});

test('a list of such dates is asked about as a whole', async () => {
  await useMonthFirst();
  const { ana, form } = await openForm();
  await form.fill('When', '5/12 9am and 6/12 9am');
  await ana.sees('Which times did you mean?');
  await form.press('Sat 5 Dec, 09:00 · Sun 6 Dec, 09:00');
  await ana.sees('2 posts, one for each time:');
  expect(form.text()).toContain('From now on I read your dates in this order.');
});

test('a weekday, a dot and a day above 12 decide without a question', async () => {
  await useMonthFirst();
  const { ana, form } = await openForm();
  await form.fill('When', 'Sat 5/12 9am');
  await ana.sees('Sat 5 Dec, 09:00 (Lisbon)');
  await form.fill('When', '7.12. 9am');
  await ana.sees('Mon 7 Dec, 09:00 (Lisbon)');
  await form.fill('When', '13/12 9am');
  await ana.sees('Sun 13 Dec, 09:00 (Lisbon)');
});

test('nobody is asked whose language, zone and habit name the same order', async () => {
  const { ana, form } = await openForm();
  await form.fill('When', '5/12 9am');
  await ana.sees('Sat 5 Dec, 09:00 (Lisbon)');
});

test('a person chooses the order of day and month beside their time zone', async () => {
  await ask(ana, '/upnext zone month first', 'I read your dates such as 3/4 month first, as 4 March.');
  const { ana: person, form } = await openForm();
  await form.fill('When', '5/12 9am');
  await person.sees('Wed 12 May 2027, 09:00 (Lisbon)');
  await form.close();
  const zones = await askForForm(ana, '/upnext zone', 'Time zone');
  expect(zones.text()).toContain('I read your dates such as 3/4 month first, as 4 March.');
  await zones.press('Day first: 3 April');
  await person.sees('I read your dates such as 3/4 day first, as 3 April.');
});
