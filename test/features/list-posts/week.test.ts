import { beforeEach, describe, expect, test } from 'vitest';
import { listPosts } from '../../../src/features/list-posts/list-posts.ts';
import type { CommandCall } from '../../../src/handlers/call.ts';
import { submitWith } from '../../support/form-steps.ts';
import { holdPost, listHeldPosts } from '../../support/hold-posts.ts';
import { createSlotPolicy } from '../../support/posting-times.ts';
import { data, json, listedPost, listProjects } from '../../support/scripted-service.ts';
import { setUpBot } from '../../support/set-up-bot.ts';
import { ask, askAndPress, chooseAndSee, pressAndSee, pressForForm } from '../../support/steps.ts';

/** The week as a list by day. The clock stands on Friday, 20 November 2026. */

const { ana, database, running, setPolicy } = setUpBot({});

const TUESDAY = '2026-11-24T09:00:00Z';

const createPost = (day: number, hour = 9) =>
  listedPost(`Post of day ${day}`, `2026-11-${day}T${String(hour).padStart(2, '0')}:00:00Z`, {
    Id: `${day} ${hour}`,
  });

/** Types `/upnext week`, goes to the next week, and returns the person and the list. */
async function showNextWeek(filter = '') {
  await ask(ana, `/upnext week ${filter}`, '[Next week]');
  await pressAndSee(ana, 'Next week', 'Mon 23 Nov to Sun 29 Nov');
  return { ana, readLines: () => (ana.messages().at(-1) ?? '').split('\n') };
}

const isHeading = (line: string) => /^\w{3} \d+ Nov|· free$/.test(line);

describe('the days of a week', () => {
  test('have their posts, and free days are between them', async () => {
    running.service.on('GET /posts', data([createPost(24), createPost(24, 11), createPost(27)]));
    const { readLines } = await showNextWeek();
    expect(readLines().filter(isHeading)).toEqual([
      'Mon 23 Nov · free',
      'Tue 24 Nov',
      'Wed 25 Nov to Thu 26 Nov · free',
      'Fri 27 Nov',
      'Sat 28 Nov to Sun 29 Nov · free',
    ]);
  });

  test.each([
    'next week',
    'next',
    'next x',
    '23-29 nov',
    '24 nov',
    'nov 24',
    'x 24 nov',
    'week 48',
    '48',
    '48 2026',
  ])('of the week that “%s” names are shown', async (typed) => {
    running.service.on('GET /posts', data([createPost(24)]));
    await ask(ana, `/upnext week ${typed}`, 'Mon 23 Nov to Sun 29 Nov', 'Post of day 24');
  });

  test('of this week are free only if they are to come, and come first', async () => {
    running.service.on('GET /posts', data([createPost(17), createPost(21)]));
    await ask(ana, '/upnext week', 'Post of day 21');
    const lines = (ana.messages().at(-1) ?? '').split('\n');
    expect(lines.filter(isHeading)).toEqual([
      'Fri 20 Nov · free',
      'Sat 21 Nov',
      'Sun 22 Nov · free',
      'Tue 17 Nov · earlier this week',
    ]);
  });

  test('continue on the next page', async () => {
    const monday = Array.from({ length: 10 }, (_, hour) => createPost(23, hour + 9));
    running.service.on('GET /posts', data([...monday, createPost(26)]));
    const { ana, readLines } = await showNextWeek();
    expect(readLines().filter(isHeading)).toEqual(['Mon 23 Nov']);
    await pressAndSee(ana, 'Next page', 'Post of day 26');
    expect(readLines().filter(isHeading)).toEqual([
      'Tue 24 Nov to Wed 25 Nov · free',
      'Thu 26 Nov',
      'Fri 27 Nov to Sun 29 Nov · free',
    ]);
  });

  test.each(['x', 'coffee'])('aren’t called free if the list is filtered by “%s”', async (filter) => {
    running.service.on('GET /posts', data([{ ...createPost(24), Content: 'Coffee' }]));
    expect((await showNextWeek(filter)).readLines().join('\n')).not.toContain('free');
  });

  test('aren’t called free if the service doesn’t answer', async () => {
    await holdPost(running, { text: 'We open at nine', at: '2026-11-21T09:00:00Z' });
    running.service.on('GET /posts', json(500, {}));
    await ask(ana, '/upnext week', 'We open at nine');
    expect(ana.read()).not.toContain('free');
  });
});

test.each(['🎉', ':tada:', '24 nov 🎉'])(
  'the answer to /upnext week %s says that the emoji was left out',
  async (typed) => {
    running.service.on('GET /posts', data([createPost(20), createPost(24)]));
    await ask(ana, `/upnext week ${typed}`, 'I left out “🎉”. To find posts with it, type /upnext posts 🎉.');
    const other = { ...createPost(21), Content: 'We celebrate 🎉' };
    running.service.on('GET /posts', data([createPost(20), other]));
    await ask(ana, '/upnext posts :tada:', '1 post containing “🎉”', 'We celebrate');
    expect(ana.messages().at(-1)).not.toContain('I left out');
  },
);

test.each(['™', '24 nov ™', '24 nov ℹ', '24 nov ‼'])(
  'the answer to /upnext week %s doesn’t say that a character is left out which isn’t an emoji',
  async (typed) => {
    running.service.on('GET /posts', data([createPost(20), createPost(24)]));
    await ask(ana, `/upnext week ${typed}`, 'Harbour Coffee');
    expect(ana.messages().at(-1)).not.toContain('I left out');
  },
);

test('a word that is no filter is searched for in the posts of the week', async () => {
  running.service.on('GET /posts', data([createPost(20)]));
  await ask(ana, '/upnext week blorp', 'contain “blorp”.', 'Try other words, or look through all posts.');
});

test('the list of a month leads to the months before and after', async () => {
  running.service.on('GET /posts', data([createPost(24)]));
  await ask(ana, '/upnext november 2026', '1 post, Sun 1 Nov to Mon 30 Nov (Lisbon)');
  await pressAndSee(ana, 'Next month', 'Tue 1 Dec to Thu 31 Dec (Lisbon)');
  await pressAndSee(ana, 'Previous month', '1 post, Sun 1 Nov to Mon 30 Nov (Lisbon)');
  await pressAndSee(ana, 'Previous month', 'Thu 1 Oct to Sat 31 Oct (Lisbon)');
});

test('where several projects are possible, the question names this command', async () => {
  running.service.on('GET /projects', listProjects('Harbour Coffee', 'Night Market'));
  const ana = running.workspace.as('Ana').in('#general');
  await ask(ana, '/upnext week', 'Or type /upnext week and the project’s name.');
});

describe('a post that can be edited', () => {
  beforeEach(async () => {
    running.service.on('GET /posts', data([]));
    await holdPost(running, { text: 'We open at nine', at: TUESDAY });
  });

  test('is edited and moved from its row', async () => {
    const { ana } = await showNextWeek();
    await ana.choose('More options', 'Edit');
    const edit = await ana.modal('Edit post');
    expect(edit.value('Text')).toBe('We open at nine');
    await edit.close();
    await ana.choose('More options', 'Move to…');
    const form = await ana.modal('Move to…');
    await form.fill(form.labels()[0] ?? '', '+1 day');
    await form.submit();
    const [row] = await listHeldPosts(running);
    expect(row?.publish_at).toEqual(new Date('2026-11-25T09:00:00Z'));
  });

  test('is cancelled from its row with one press, which the card undoes', async () => {
    const { ana } = await showNextWeek();
    await chooseAndSee(ana, 'More options', 'Cancel post', '[Undo]');
    const readState = async () => (await listHeldPosts(running))[0]?.state;
    expect(await readState()).toBe('cancelled');
    await ana.press('Undo');
    await expect.poll(readState).toBe('held');
  });
});

test('/upnext week with words is acknowledged before Slack says who reads it', async () => {
  const { promise: acknowledged, resolve: acknowledge } = Promise.withResolvers<void>();
  const { promise: unanswered } = Promise.withResolvers<never>();
  const week = listPosts.commands.find(({ name }) => name === 'week');
  const call = {
    ...{ text: '48', actor: { workspace: 'T01HARBOUR', user: 'U01ANAFERR' } },
    client: { users: { info: () => unanswered } },
    context: {
      ...{ db: database.db, pace: { slowNoticeDelayMs: 0 } },
      reads: { fetchProjects: () => unanswered },
    },
    acknowledge: async () => acknowledge(),
    reply: async () => undefined,
  };
  void week?.run(call as unknown as CommandCall);
  await expect(acknowledged).resolves.toBeUndefined();
});

describe('the free slots of a week, each with a button that opens the form for it,', () => {
  beforeEach(() => setPolicy(createSlotPolicy({ X: 'weekdays 9:00, 16:30', LINKEDIN: 'weekdays 9:00' })));

  const readSlots = () =>
    ana
      .read()
      .split('\n')
      .filter((line) => line.includes('free slot'));

  test('are listed, and one press opens the form for one', async () => {
    await holdPost(running, { text: 'Hello', at: '2026-11-23T16:30Z', platforms: ['X'] });
    running.service.on(
      'GET /posts',
      data([listedPost('From elsewhere', '2026-11-24T09:00:00Z', { Id: 'other' })]),
    );
    await askAndPress(ana, '/upnext week', 'Next week', 'Mon 23 Nov, 09:00 · X and LinkedIn · free slot');
    expect(readSlots()).toEqual([
      'Mon 23 Nov, 09:00 · X and LinkedIn · free slot',
      '…and 8 more free slots.',
    ]);
    await pressAndSee(ana, 'Free slots', 'Harbour Coffee: 9 free slots, Mon 23 Nov to Sun 29 Nov (Lisbon)');
    expect(readSlots().slice(1)).toEqual([
      'Mon 23 Nov, 09:00 · X and LinkedIn · free slot',
      'Tue 24 Nov, 09:00 · LinkedIn · free slot',
      'Tue 24 Nov, 16:30 · X · free slot',
      'Wed 25 Nov, 09:00 · X and LinkedIn · free slot',
      'Wed 25 Nov, 16:30 · X · free slot',
      'Thu 26 Nov, 09:00 · X and LinkedIn · free slot',
      'Thu 26 Nov, 16:30 · X · free slot',
      'Fri 27 Nov, 09:00 · X and LinkedIn · free slot',
      'Fri 27 Nov, 16:30 · X · free slot',
    ]);
    await pressAndSee(ana, 'Show the week', 'Hello');
    await pressAndSee(ana, 'Free slots', 'Harbour Coffee: 9 free slots');
    const form = await pressForForm(ana, 'Fill the slot: Tue 24 Nov, 16:30', 'Schedule a post');
    expect([form.value('Platforms'), form.value('When')]).toEqual([
      'X',
      'next slot from Tue 24 Nov, 16:30 (Lisbon)',
    ]);
    await submitWith(form, { Text: 'Filled' });
    await ana.sees('It has the slot Tue 24 Nov, 16:30 (Lisbon).');
  });

  test('are unknown while the service’s posts can’t be read, and the week says so', async () => {
    await holdPost(running, { text: 'Hello', at: '2026-11-20T16:30Z', platforms: ['X'] });
    running.service.on('GET /posts', json(503, {}));
    await ask(ana, '/upnext week', 'I couldn’t check which slots are free');
    expect(readSlots()).toEqual([]);
  });

  test('are none on blackout days, which the week names, also beside a post', async () => {
    const days = { from: '2026-11-25', to: '2026-11-26', name: 'Move' };
    await setPolicy(createSlotPolicy({ X: 'weekdays 16:30' }, [days]));
    await holdPost(running, { text: 'Hello', at: '2026-11-23T16:30Z', platforms: ['X'] });
    await askAndPress(ana, '/upnext week', 'Next week');
    await ana.sees(
      'Tue 24 Nov · free\nWed 25 Nov to Thu 26 Nov · blackout day (Move)\nFri 27 Nov to Sun 29 Nov · free',
    );
    await holdPost(running, { text: 'Hello again', at: '2026-11-25T16:30Z', platforms: ['X'] });
    await askAndPress(ana, '/upnext week', 'Next week', 'Wed 25 Nov · blackout day (Move)\n16:30');
    await ask(ana, '/upnext 25 nov', '1 post, Wed 25 Nov (Lisbon)\nWed 25 Nov · blackout day (Move)\n16:30');
  });

  test('are listed in a week without posts too, and not in one that has passed', async () => {
    await ask(ana, '/upnext week', 'Fri 20 Nov, 16:30 · X · free slot');
    expect(readSlots()).toHaveLength(1);
    await pressAndSee(ana, 'Previous week', 'Mon 9 Nov to Sun 15 Nov');
    expect(ana.messages().at(-1)).not.toContain('free slot');
  });
});
