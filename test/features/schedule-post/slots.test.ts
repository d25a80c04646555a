import { describe, expect, test } from 'vitest';
import type { Blackout } from '../../../src/preferences/posting-times.ts';
import type { ProjectPolicy } from '../../../src/preferences/project-policy.ts';
import { NOW } from '../../support/bot.ts';
import { stretchDeadlines } from '../../support/busyness.ts';
import { captureSubmission, deliver } from '../../support/doubled-form.ts';
import { continuePost, openFilledForm, submitLine } from '../../support/filled-form.ts';
import { fillIn } from '../../support/form-steps.ts';
import { holdPost } from '../../support/hold-posts.ts';
import { createPostingTimes } from '../../support/posting-times.ts';
import { data, json, later } from '../../support/scripted-service.ts';
import { startSecondInstance } from '../../support/second-instance.ts';
import { RECEIPT_PACE, setUpBot } from '../../support/set-up-bot.ts';
import { askAndPress, askForForm, pressAndSee, pressForForm, seeAll } from '../../support/steps.ts';

/** "Next slot" where a time is typed: in the form, in a line, and when a post is moved. It is a Friday at noon. */
const { ana, database, running, setPolicy, startBot } = setUpBot({
  pace: RECEIPT_PACE,
  membersDefaultRole: null,
});

async function setTimes(policy: Partial<ProjectPolicy> = {}) {
  const postingTimes = [
    createPostingTimes(['X'], 'weekdays 9:00, 16:30'),
    createPostingTimes(['LINKEDIN'], 'weekdays 9:00'),
  ];
  await setPolicy({ leadMinutes: 60, postingTimes, ...policy });
}
const listTimes = async () =>
  (await database.db.selectFrom('held_post').select('publish_at').orderBy('publish_at').execute()).map(
    ({ publish_at: at }) => at?.toISOString().slice(0, 16),
  );
const CHRISTMAS: Blackout = { from: '2026-12-24', to: '2026-12-26', name: 'Christmas' };

describe('the form', () => {
  test('shows the next free slot, takes it, and says which', async () => {
    await setTimes();
    const { form } = await openFilledForm(running, { when: 'next slot' });
    await seeAll(ana, 'Fri 20 Nov, 16:30 (Lisbon)', 'The next free X slot.');
    await form.submit();
    await ana.sees('It has the slot Fri 20 Nov, 16:30 (Lisbon).');
    expect(await listTimes()).toEqual(['2026-11-20T16:30']);
  });

  test('takes the next slot if somebody has taken the one that it showed, and says so', async () => {
    await setTimes();
    const { form } = await openFilledForm(running, { when: 'next free slot' });
    await ana.sees('Fri 20 Nov, 16:30 (Lisbon)');
    await holdPost(running, { text: 'Faster', at: '2026-11-20T16:30Z' });
    await form.submit();
    await ana.sees('The slot you saw isn’t free, so it has the next one: Mon 23 Nov, 09:00 (Lisbon).');
    expect(await listTimes()).toEqual(['2026-11-20T16:30', '2026-11-23T09:00']);
  });

  test('gives two people who take the same slot at once, over two instances, a slot each, and says so', async () => {
    await startBot({ mode: 'http', pace: RECEIPT_PACE, membersDefaultRole: 'publisher' });
    await setTimes();
    const other = await startSecondInstance(running);
    const people = ['Ana', 'Ben'].map((name) => running.workspace.as(name).in('#harbour-coffee'));
    const submissions: Record<string, unknown>[] = [];
    for (const person of people) {
      const form = await askForForm(person, '/schedule-post', 'Schedule a post');
      await fillIn(form, { Text: 'We open at nine', Platforms: ['X'], When: 'next slot' });
      await person.sees('20 Nov, ');
      submissions.push(await captureSubmission(running, form));
    }
    const [first = {}, second = {}] = submissions;
    await Promise.all([deliver(running, first), deliver({ ...running, url: other.url }, second)]);
    expect(await listTimes()).toEqual(['2026-11-20T16:30', '2026-11-23T09:00']);
    const received = people.map((person) => person.messages().at(-1) ?? '');
    expect(received.filter((text) => text.includes('It has the slot'))).toHaveLength(1);
    expect(received.filter((text) => text.includes('The slot you saw isn’t free'))).toHaveLength(1);
  });

  test('shows the slot of an unsaved post also after its author’s zone has changed', async () => {
    await setTimes();
    const { form } = await openFilledForm(running, { when: 'next slot' });
    await ana.sees('Fri 20 Nov, 16:30 (Lisbon)');
    await form.close();
    await ana.type('/upnext zone me Tokyo');
    const continued = await continuePost(ana);
    await expect.poll(() => continued.text()).toContain('Fri 20 Nov, 16:30 (Lisbon)');
    expect(continued.text()).not.toContain('I haven’t looked up the next slot yet');
  });

  test('keeps its slot if it is submitted again before it has shown one, and another post has the same time', async () => {
    await setTimes();
    const { form } = await openFilledForm(running);
    running.workspace.faults.set({
      deliveries: [
        { fault: 'lost', kind: 'block_actions' },
        { fault: 'unacknowledged', kind: 'view_submission', times: 1 },
      ],
    });
    const restoreDeadlines = stretchDeadlines(0.1);
    const filling = expect(form.fill('When', 'next slot')).rejects.toThrow('operation_timeout');
    expect((await form.submit()).closed).toBe(false);
    await filling;
    restoreDeadlines();
    await expect.poll(listTimes).toEqual(['2026-11-20T16:30']);
    await holdPost(running, { text: 'By hand', at: '2026-11-20T16:30Z' });
    expect((await form.submit()).closed).toBe(true);
    expect(await listTimes()).toEqual(['2026-11-20T16:30', '2026-11-20T16:30']);
  });

  test.each([
    ['next slot after monday', 'Tue 24 Nov, 09:00 (Lisbon)'],
    ['next slot at 16.30.', 'Fri 20 Nov, 16:30 (Lisbon)'],
    ['nächster Slot ab 3.12. um 9.30.', 'Thu 3 Dec, 16:30 (Lisbon)'],
    ['next slot from 24 nov, 9:30', 'Tue 24 Nov, 16:30 (Lisbon)'],
    ['nächster freier Slot', 'Fri 20 Nov, 16:30 (Lisbon)'],
    ['the next available slot', 'Fri 20 Nov, 16:30 (Lisbon)'],
  ])('reads “%s”', async (when, time) => {
    await setTimes();
    await openFilledForm(running, { when });
    await ana.sees(time);
  });

  test.each<[string, Partial<ProjectPolicy>, string]>([
    ['a project without posting times', { postingTimes: [] }, 'This project has no posting times yet.'],
    [
      'a project that sends its posts right away',
      { leadMinutes: undefined },
      'Slots need a project that keeps posts editable.',
    ],
    [
      'no times for the platform',
      { postingTimes: [createPostingTimes(['REDDIT'], 'weekdays 9:00')] },
      'This project has no posting times for X.',
    ],
    [
      'no slot to come',
      {
        postingTimes: [createPostingTimes(['X'], 'every monday 9:00')],
        blackouts: [{ from: '2026-11-01', to: '2027-10-01', name: '' }],
      },
      'There’s no X slot in the next 13 weeks.',
    ],
  ])('says of %s why there is no slot, and what to do', async (_name, policy, text) => {
    await setTimes(policy);
    const { form } = await openFilledForm(running, { when: 'next slot' });
    await ana.sees(text);
    await form.submit();
    expect((await ana.modal('Schedule a post')).text()).toContain(text);
    expect(await listTimes()).toEqual([]);
    // Ana may change the policy.
    await form.press('Open policy');
    await ana.sees('Policy of Harbour Coffee');
  });

  test.each([
    ['next slot after 1 june 2027', 'I take slots up to 13 weeks ahead.'],
    ['next slot after 1 june', 'I take slots up to 13 weeks ahead.'],
    ['next slot after yesterday', '“yesterday” has passed.'],
    ['next slot after 1 december', 'No X slot of the next 13 weeks is free from Wed 2 Dec on.'],
  ])('says of “%s” why it finds no slot', async (when, text) => {
    await setTimes({ postingTimes: [createPostingTimes(['X'], 'weekdays 9:00, until 1 dec')] });
    await openFilledForm(running, { when });
    await ana.sees(text);
  });

  test('warns of a blackout day, and schedules the post all the same', async () => {
    await setTimes({ blackouts: [CHRISTMAS] });
    const { form } = await openFilledForm(running, { when: '25 dec 9am' });
    await ana.sees('Fri 25 Dec is a blackout day of this project (Christmas).');
    await form.submit();
    await ana.sees('Editable until');
    expect(await listTimes()).toEqual(['2026-12-25T09:00']);
  });

  test('leaves blackout days out of a series, and says so before', async () => {
    await setTimes({ blackouts: [{ from: '2026-11-24', to: '2026-11-25', name: 'Move' }] });
    const { form } = await openFilledForm(running, { when: 'every weekday at 9, 4 times' });
    await ana.sees('Left out as blackout days: 24 Nov to 25 Nov (Move).');
    await (await form.submit()).view?.submit();
    // They count, so that the other dates don't depend on them.
    await expect.poll(listTimes).toEqual(['2026-11-23T09:00', '2026-11-26T09:00']);
  });
});

test('a typed line takes the next slot of its platforms', async () => {
  await setTimes();
  await submitLine(ana, '/schedule-post next slot on x and linkedin: Hello');
  await ana.sees('It has the slot Mon 23 Nov, 09:00 (Lisbon).');
  await submitLine(ana, '/schedule-post next slot after tuesday on x: Hello again');
  await expect.poll(listTimes).toEqual(['2026-11-23T09:00', '2026-11-25T09:00']);
});

test('[Move to…] takes the next slot, and warns of a blackout day', async () => {
  await setTimes({ blackouts: [CHRISTMAS] });
  await holdPost(running, { text: 'Hello', at: '2026-12-01T10:00Z' });
  await askAndPress(ana, '/upnext posts 1 dec', 'Open');
  const move = await pressForForm(ana, 'Move to…', 'Move to…');
  await move.fill('When', 'next slot');
  expect((await move.submit()).view?.text()).toContain('Moved to the slot Fri 20 Nov, 16:30 (Lisbon).');
  expect(await listTimes()).toEqual(['2026-11-20T16:30']);
});

test('an edit takes the next slot, and says which if somebody has taken the one that it showed', async () => {
  await setTimes();
  await holdPost(running, { text: 'Hello', at: '2026-12-01T10:00Z' });
  await askAndPress(ana, '/upnext posts 1 dec', 'Open');
  const form = await pressForForm(ana, 'Edit', 'Edit post');
  await form.fill('When', 'next slot');
  await ana.sees('The next free X slot.');
  await holdPost(running, { text: 'Faster', at: '2026-11-20T16:30Z' });
  expect((await form.submit()).view?.text()).toContain('Mon 23 Nov, 09:00 (Lisbon).');
  expect(await listTimes()).toEqual(['2026-11-20T16:30', '2026-11-23T09:00']);
});

test('[Undo] of a cancelled post says that its slot was taken meanwhile', async () => {
  await setTimes();
  await submitLine(ana, '/schedule-post next slot on x: First');
  await ana.sees('It has the slot Fri 20 Nov, 16:30 (Lisbon).');
  await pressAndSee(ana, 'Cancel post', '[Undo]');
  await submitLine(ana, '/schedule-post next slot on x: Second');
  await expect.poll(listTimes).toEqual(['2026-11-20T16:30', '2026-11-20T16:30']);
  await pressAndSee(ana, 'Undo', 'Another post on its platforms has the same time.');
});

describe('posts that were made in the service', () => {
  const listPosts = (times: readonly string[]) =>
    data(
      times.map((time) => ({
        ...{ Id: time, Content: 'Earlier', Platforms: ['X'], Status: 'SCHEDULED' },
        ...{ ScheduleDate: `${time}:00Z`, Timezone: 'Europe/Lisbon' },
      })),
    );
  const FIRST_TIMES = [
    '2026-11-20T16:30',
    ...[23, 24, 25, 26, 27].flatMap((day) => [`2026-11-${day}T09:00`, `2026-11-${day}T16:30`]),
  ];

  test('take their slots, even if all that were compared have one', async () => {
    await setTimes();
    running.service.on('GET /posts', listPosts(FIRST_TIMES.slice(0, 10)));
    await openFilledForm(running, { when: 'next slot' });
    await ana.sees('Fri 27 Nov, 16:30 (Lisbon)');
  });

  test('that can’t be read are no free slot: the form and the card say that it isn’t checked', async () => {
    await setTimes();
    running.service.on('GET /posts', json(503, {}));
    const { form } = await openFilledForm(running, { when: 'next slot' });
    const unsure = 'I couldn’t check whether the scheduling service has another post then.';
    await seeAll(ana, 'Fri 20 Nov, 16:30 (Lisbon)', `The next free X slot. ${unsure}`);
    await form.submit();
    await ana.sees(`It has the slot Fri 20 Nov, 16:30 (Lisbon). ${unsure}`);
  });

  test('are compared with the slot of an edit, and those of other days don’t matter', async () => {
    await setTimes();
    await holdPost(running, { text: 'Hello', at: '2026-12-01T10:00Z' });
    running.service.on('GET /posts', (call, response) =>
      call.query.get('schedule_date_from')?.startsWith('2026-11-20')
        ? data([])(call, response)
        : json(503, {})(call, response),
    );
    await ana.type('/upnext posts held');
    await ana.press('Open');
    const form = await pressForForm(ana, 'Edit', 'Edit post');
    await form.fill('When', 'next slot');
    await ana.sees('The next free X slot.');
    const card = (await form.submit()).view?.text();
    expect(card).toContain('It has the slot Fri 20 Nov, 16:30 (Lisbon).');
    expect(card).not.toContain('couldn’t check');
  });

  test('take their slots although they were made since the form was shown', async () => {
    await setTimes();
    running.service.on('GET /posts', data([]));
    const { form } = await openFilledForm(running, { when: 'next slot' });
    await ana.sees('Fri 20 Nov, 16:30 (Lisbon)');
    running.service.on('GET /posts', listPosts(FIRST_TIMES.slice(0, 1)));
    await form.submit();
    await ana.sees('The slot you saw isn’t free, so it has the next one: Mon 23 Nov, 09:00 (Lisbon).');
  });

  test('take the slots of the days that a slow service has listed in time', async () => {
    await setTimes();
    const answer = listPosts(FIRST_TIMES.slice(0, 3));
    running.service.on('GET /posts', (call, response) =>
      call.query.get('schedule_date_from')?.startsWith('2026-11-24')
        ? later(5_000, json(500, {}))(call, response)
        : answer(call, response),
    );
    await openFilledForm(running, { when: 'next slot' });
    await ana.sees('Tue 24 Nov, 09:00 (Lisbon)');
  });

  test('take their slots also from a form whose slot was taken meanwhile', async () => {
    await startBot({ pace: RECEIPT_PACE, membersDefaultRole: null, followsClock: true, startTime: NOW });
    await setTimes();
    const { form } = await openFilledForm(running, { when: 'next slot' });
    await ana.sees('Fri 20 Nov, 16:30 (Lisbon)');
    await holdPost(running, { text: 'Faster', at: '2026-11-20T16:30Z' });
    running.service.on('GET /posts', listPosts(FIRST_TIMES.slice(1, 3)));
    running.workspace.clock.advance(11_000);
    await form.submit();
    await ana.sees('so it has the next one: Tue 24 Nov, 09:00 (Lisbon).');
    expect(await listTimes()).toEqual(['2026-11-20T16:30', '2026-11-24T09:00']);
  });

  test('take their slots from a post that is moved too', async () => {
    await setTimes();
    running.service.on('GET /posts', listPosts(FIRST_TIMES.slice(0, 2)));
    await holdPost(running, { text: 'Hello', at: '2026-12-01T10:00Z' });
    await askAndPress(ana, '/upnext posts 1 dec', 'Open');
    const move = await pressForForm(ana, 'Move to…', 'Move to…');
    await move.fill('When', 'next slot');
    expect((await move.submit()).view?.text()).toContain('Moved to the slot Mon 23 Nov, 16:30 (Lisbon).');
  });
});
