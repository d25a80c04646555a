import { beforeEach, expect, test } from 'vitest';
import { submitWith } from '../../support/form-steps.ts';
import { holdPost } from '../../support/hold-posts.ts';
import { createSlotPolicy } from '../../support/posting-times.ts';
import { data, listedPost } from '../../support/scripted-service.ts';
import { setUpBot } from '../../support/set-up-bot.ts';
import { ask, askAndPress, pressAndSee, pressForForm } from '../../support/steps.ts';

/** The free slots of a week, each with a button that opens the form for it. It is a Friday at noon. */

const { ana, running, setPolicy, startBot } = setUpBot();
beforeEach(async () => {
  await startBot();
  await setPolicy(createSlotPolicy({ X: 'weekdays 9:00, 16:30', LINKEDIN: 'weekdays 9:00' }));
});

const readSlots = () =>
  ana
    .read()
    .split('\n')
    .filter((line) => line.includes('free slot'));

test('a week has its free slots, and one press opens the form for one', async () => {
  await holdPost(running, { text: 'Hello', at: '2026-11-23T16:30Z', platforms: ['X'] });
  running.service.on(
    'GET /posts',
    data([listedPost('From elsewhere', '2026-11-24T09:00:00Z', { Id: 'other' })]),
  );
  await askAndPress(ana, '/upnext week', 'Next week', 'Mon 23 Nov, 09:00 · X and LinkedIn · free slot');
  expect(readSlots()).toEqual([
    'Mon 23 Nov, 09:00 · X and LinkedIn · free slot',
    'Tue 24 Nov, 09:00 · LinkedIn · free slot',
    'Tue 24 Nov, 16:30 · X · free slot',
    'Wed 25 Nov, 09:00 · X and LinkedIn · free slot',
    'Wed 25 Nov, 16:30 · X · free slot',
    'Thu 26 Nov, 09:00 · X and LinkedIn · free slot',
    'Thu 26 Nov, 16:30 · X · free slot',
    'Fri 27 Nov, 09:00 · X and LinkedIn · free slot',
    '…and 1 more free slot.',
  ]);
  const form = await pressForForm(ana, 'Fill the slot: Tue 24 Nov, 16:30', 'Schedule a post');
  expect([form.value('Platforms'), form.value('When')]).toEqual([
    'X',
    'next slot from Tue 24 Nov, 16:30 (Lisbon)',
  ]);
  await submitWith(form, { Text: 'Filled' });
  await ana.sees('It has the slot Tue 24 Nov, 16:30 (Lisbon).');
});

test('a week names its blackout days', async () => {
  const days = { from: '2026-11-25', to: '2026-11-26', name: 'Move' };
  await setPolicy(createSlotPolicy({ X: 'weekdays 16:30' }, [days]));
  await holdPost(running, { text: 'Hello', at: '2026-11-23T16:30Z', platforms: ['X'] });
  await askAndPress(ana, '/upnext week', 'Next week');
  await ana.sees(
    'Tue 24 Nov · free\nWed 25 Nov to Thu 26 Nov · blackout day (Move)\nFri 27 Nov to Sun 29 Nov · free',
  );
});

test('a day with a post is marked as a blackout day too', async () => {
  const days = { from: '2026-11-25', to: '2026-11-26', name: 'Move' };
  await setPolicy(createSlotPolicy({ X: 'weekdays 16:30' }, [days]));
  await holdPost(running, { text: 'Hello', at: '2026-11-25T16:30Z', platforms: ['X'] });
  await askAndPress(ana, '/upnext week', 'Next week', 'Wed 25 Nov · blackout day (Move)\n16:30');
  await ask(ana, '/upnext 25 nov', '1 post, Wed 25 Nov (Lisbon)\nWed 25 Nov · blackout day (Move)\n16:30');
});

test('a week without posts has its free slots too, and one that has passed has none', async () => {
  await ask(ana, '/upnext week', 'Fri 20 Nov, 16:30 · X · free slot');
  expect(readSlots()).toHaveLength(1);
  await pressAndSee(ana, 'Previous week', 'Mon 9 Nov to Sun 15 Nov');
  expect(ana.messages().at(-1)).not.toContain('free slot');
});
