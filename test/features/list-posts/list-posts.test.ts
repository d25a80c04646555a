import type { PracticeService } from 'scheduling-service-emulator';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { noteUsedOrder } from '../../../src/preferences/date-order.ts';
import { saveScheduledDraft } from '../../../src/submissions/sql/scheduled-drafts.ts';
import { NOW } from '../../support/bot.ts';
import { expectParts, expectValues, fillIn, submitWith } from '../../support/form-steps.ts';
import { holdPost } from '../../support/hold-posts.ts';
import { insertPost } from '../../support/post-submissions.ts';
import { SERVICE_TOKEN, startPracticeService } from '../../support/practice-service.ts';
import { setUpBot } from '../../support/set-up-bot.ts';
import { ask, chooseAndSee, pressAndSee, pressForForm, seeAll } from '../../support/steps.ts';

const { ana, ben, database, running, startBot } = setUpBot();
let service: PracticeService & { token: string };

beforeAll(async () => {
  service = await startPracticeService({ now: () => NOW });
});
beforeEach(async () => {
  await database.db.deleteFrom('scheduled_draft').execute();
  await startBot({ isEmulated: true, service });
});
afterAll(() => service.close());

/** Lists posts of Harbour Coffee directly from the service. */
async function fetchPosts(query: string) {
  const fetchData = async (path: string) => {
    const headers = { authorization: `Bearer ${SERVICE_TOKEN}` };
    const response = await fetch(`${service.url}/api/v1/${path}`, { headers });
    return ((await response.json()) as { data: { Id: string; Name?: string; Content?: string }[] }).data;
  };
  const id = (await fetchData('projects')).find(({ Name }) => Name === 'Harbour Coffee')?.Id;
  return fetchData(`projects/${id}/posts?${query}`);
}

async function bindToHarbourCoffee() {
  await ask(ana, '/upnext use Harbour Coffee', 'This channel now follows Harbour Coffee.');
}
/** Types a command where the channel follows Harbour Coffee. */
async function typeInCoffeeChannel(command: string) {
  await bindToHarbourCoffee();
  await ana.type(command);
}
const getLastMessage = (person: { messages(): string[] }) => person.messages().at(-1) ?? '';

test('without filters, the list has this week’s posts by day and undated drafts, and can show other weeks', async () => {
  await typeInCoffeeChannel('/upnext posts');
  await ana.sees('Harbour Coffee: 4 posts, Mon 16 Nov to Sun 22 Nov (Lisbon)');
  const week = getLastMessage(ana);
  expect(week).toContain('Mon 16 Nov to Sun 22 Nov (Lisbon)');
  expect(week).toMatch(
    /Tue 17 Nov · earlier this week\n07:15 \(08:15 Berlin\) · ✅ Published · X, Threads and Facebook\nRain all day/,
  );
  expect(week.indexOf('Tue 17 Nov')).toBeLessThan(week.indexOf('Thu 19 Nov'));
  expect(week.indexOf('Sun 22 Nov\n')).toBeLessThan(week.indexOf('Drafts without a date (2)'));
  expect(week.indexOf('Drafts without a date (2)')).toBeLessThan(week.indexOf('Winter menu'));
  const messageCount = ana.messages().length;
  await pressAndSee(ana, 'Next week', 'Mon 23 Nov to Sun 29 Nov (Lisbon)');
  expect(getLastMessage(ana)).toContain('Cupping on Saturday');
  await pressAndSee(ana, 'Previous week', 'Mon 16 Nov to Sun 22 Nov (Lisbon)');
  await pressAndSee(ana, 'Previous week', 'Mon 9 Nov to Sun 15 Nov (Lisbon)');
  await pressAndSee(ana, 'All posts', 'Harbour Coffee: 8 posts and 2 drafts');
  const allPosts = getLastMessage(ana);
  expect(allPosts).toMatch(/Upcoming\nSat 21 Nov, 08:00 \(09:00 Berlin\) · Instagram, Facebook and X\n/);
  expect(allPosts.indexOf('Upcoming')).toBeLessThan(allPosts.indexOf('Published\n'));
  expect(ana.messages()).toHaveLength(messageCount);
  expect(running.workspace.as('Ben').in('#harbour-coffee').read()).not.toContain('Cupping');
});

test('in a channel that is named after a project, its posts are listed, and the list says why', async () => {
  await ask(ana, '/upnext posts drafts', 'Harbour Coffee: 2 drafts');
  await ana.sees('This channel is named after Harbour Coffee. Choose another project with /upnext use.');
  await ask(ana, '/upnext posts Night Market Books all', 'Night Market Books: ');
  expect(getLastMessage(ana)).not.toContain('named after');
});

test('whoever can’t choose another project doesn’t read how', async () => {
  await startBot({ isEmulated: true, service, membersDefaultRole: 'publisher' });
  await ask(ben, '/upnext posts drafts', 'This channel is named after Harbour Coffee.');
  expect(getLastMessage(ben)).not.toContain('/upnext use');
});

test('in a channel without a project, the user chooses one, and the filter still applies', async () => {
  const ana = running.workspace.as('Ana').in('#general');
  await ask(ana, '/upnext posts drafts', 'Which project?');
  await pressAndSee(ana, 'Harbour Coffee', 'Harbour Coffee: 2 drafts');
});

test.each([
  ['posts Harbour Coffee drafts', ['Harbour Coffee: 2 drafts', 'Winter menu'], 'Cupping'],
  ['posts drafts', ['Harbour Coffee: 2 drafts', 'Holiday opening hours'], 'Cupping'],
  ['drafts', ['Harbour Coffee: 2 drafts'], 'Cupping'],
  ['posts scheduled x this week', ['Harbour Coffee: 1 scheduled post on X, Mon', 'Yirgacheffe'], 'Cupping'],
  ['posts published', ['Harbour Coffee: 4 published posts', 'The new roaster'], 'Cupping'],
  ['posts linkedin', ['Harbour Coffee: 1 post on LinkedIn'], 'Cupping'],
  ['tomorrow', ['Harbour Coffee: 1 post, Sat 21 Nov (Lisbon)'], 'Cupping'],
  ['last week', ['Mon 9 Nov to Sun 15 Nov'], 'Cupping'],
  ['what goes out in december?', ['Tue 1 Dec to Thu 31 Dec'], 'Cupping'],
  [
    'posts yirgacheffe JASMINE',
    ['Harbour Coffee: 1 post containing “yirgacheffe jasmine”', 'Fresh from the roaster'],
    'Cupping',
  ],
  [
    'posts next week',
    ['Harbour Coffee: 2 posts, Mon', 'Drafts without a date (2)', 'Cupping'],
    'Yirgacheffe',
  ],
  ['posts reddit', ['There are no Harbour Coffee posts on Reddit.', 'New post'], 'Cupping'],
  ['posts Night Market Books this week', ['Night Market Books: 4 posts, '], 'Harbour'],
])('the command %s lists only matching posts', async (command, expected, unexpected) => {
  await typeInCoffeeChannel(`/upnext ${command}`);
  for (const text of expected) await ana.sees(text);
  expect(getLastMessage(ana)).not.toContain(unexpected);
});

test('if nothing contains a word that may be a typo, the list offers the corrected filter', async () => {
  await typeInCoffeeChannel('/upnext posts draftss');
  await ana.sees('No Harbour Coffee posts contain “draftss”.');
  await ana.sees('Try other words, or look through all posts.');
  await pressAndSee(ana, 'Show “drafts”', 'Harbour Coffee: 2 drafts');
});

test('a filter with words that a search would misunderstand lists nothing, and the answer has examples', async () => {
  await typeInCoffeeChannel('/upnext posts not published');
  await ana.sees('I can’t filter by “not”.');
  expect(getLastMessage(ana).match(/\/upnext posts /g)).toHaveLength(3);
});

test.each([
  'november and december',
  'december and november',
  '1 dec and 5 dec',
  'monday, tuesday',
  'x and linkedin november and december',
  'monday to wednesday and friday',
])('the answer to several days, %s, shows a range that works, and offers the form', async (days) => {
  await typeInCoffeeChannel(`/upnext posts ${days}`);
  await ana.sees('I can list only one range of days at a time.');
  const answer = getLastMessage(ana);
  expect(answer.match(/\/upnext posts [^.]+/g)).toEqual(['/upnext posts 1 dec - 5 dec']);
  expect(answer).toContain('[Filter');
  await typeInCoffeeChannel('/upnext posts 1 dec - 5 dec');
  await ana.sees('from Tue 1 Dec to Sat 5 Dec');
});

test('ambiguous days cause a question', async () => {
  await noteUsedOrder(database.db, { workspace: 'T01HARBOUR', user: 'U01ANAFERR' }, '12/25');
  await typeInCoffeeChannel('/upnext posts published 03/04');
  await ana.sees('Which days do you mean by “03/04”?');
  await ana.press('Sat 3 Apr 2027 (Lisbon)');
  await ana.sees('There are no published Harbour Coffee posts on Sat 3 Apr 2027 (Lisbon).');
});

describe('a post', () => {
  const openButton = 'Open: Fresh from the roaster: Yirgacheffe from Ethiopia. Tastes of jasmine…';
  async function openTomorrow() {
    await typeInCoffeeChannel('/upnext tomorrow');
    await ana.sees('Yirgacheffe');
    await ana.press(openButton);
  }

  test('a post opens with its full text and all fields, and a copy of it ends with a receipt in the channel', async () => {
    await openTomorrow();
    const view = await ana.modal('Post');
    expectParts(
      view.text(),
      'Post\n🗓️ Scheduled · Sat 21 Nov, 08:00 (09:00 Berlin)',
      'Instagram, Facebook and X · Harbour Coffee · The scheduling service publishes it at its time.',
    );
    await view.press('Duplicate');
    const form = await ana.modal('Schedule a post');
    expect(form.value('Text')).toContain('Fresh from the roaster: Yirgacheffe from Ethiopia.');
    expect(form.value('Platforms')).toContain('Instagram');
    await submitWith(form, { Text: 'One more tasting', When: '3 Dec 9am' });
    await ana.sees('Scheduled · Thu 3 Dec, 08:00 (09:00 Berlin)');
    expect(form.open).toBe(false);
    expect(getLastMessage(ana)).toContain('Scheduled · Thu 3 Dec');
  });

  test('a post in another person’s list cannot be opened', async () => {
    await typeInCoffeeChannel('/upnext tomorrow');
    await ana.sees('Yirgacheffe');
    await database.db.updateTable('open_form').set({ author: 'U02BENOKAF' }).execute();
    await pressAndSee(ana, openButton, 'This button isn’t yours, or it’s too old.');
  });

  test('a post that was scheduled with Upnext names its author, and is found with “mine” and by the author’s name', async () => {
    const [post] = (await fetchPosts('status=SCHEDULED')).filter(({ Content }) => Content?.includes('Yirga'));
    const ofBen = { id: 's', author: 'U02BENOKAF', createdAt: NOW };
    await insertPost(database.db, ofBen, { state: 'confirmed', service_id: post?.Id ?? '' });
    await typeInCoffeeChannel('/upnext posts tomorrow');
    await ana.sees('by @Ben Okafor');
    await ask(ana, '/upnext posts mine', 'There are no Harbour Coffee posts by you.');
    await ask(ana, '/upnext posts by @ben', 'Harbour Coffee: 1 post by @ben');
    expect(getLastMessage(ana)).toContain('Fresh from the roaster');
    await ask(ana, '/upnext posts by @mira', 'There are no Harbour Coffee posts by @mira.');
    await ask(ben, '/upnext posts mine', 'Harbour Coffee: 1 post by you');
    expect(getLastMessage(ben)).toContain(' · by @Ben Okafor\n');
  });

  test('a post with a template is copied with the template, which is shown by its name', async () => {
    await typeInCoffeeChannel('/upnext drafts');
    await ana.press('Open: Holiday opening hours, as soon as we know them.');
    await (await ana.modal('Post')).press('Duplicate');
    expect((await ana.modal('Schedule a post')).value('Template')).toBe('Opening hours');
  });

  test('a draft with a scheduled copy says when the copy is scheduled', async () => {
    const [draft] = (await fetchPosts('status=DRAFT')).filter(({ Content }) =>
      Content?.includes('Winter menu'),
    );
    const duplicate = {
      workspace: 'T01HARBOUR',
      draft: draft?.Id ?? '',
      submission: 's1',
      scheduledAt: new Date('2026-12-01T08:00:00Z'),
      zone: 'Europe/Berlin',
      createdBy: 'U01ANAFERR',
      createdAt: NOW,
    };
    await bindToHarbourCoffee();
    const { project } = await database.db
      .selectFrom('channel_project')
      .select('project')
      .executeTakeFirstOrThrow();
    await insertPost(database.db, { id: duplicate.submission, author: duplicate.createdBy, createdAt: NOW });
    await saveScheduledDraft(database.db, { ...duplicate, project });
    await saveScheduledDraft(database.db, { ...duplicate, project });
    await ask(ana, '/upnext drafts', 'scheduled as Tue 1 Dec, 08:00 (09:00 Berlin) · Instagram');
    await ana.press('Open: Winter menu: ginger, orange, something with chestnuts? Ask the kitch…');
    const view = await ana.modal('Post');
    expect(view.text()).toContain('· scheduled as Tue 1 Dec, 08:00 (09:00 Berlin) ·');
    expect(view.text()).toContain(
      'The scheduling service has it, so duplicate it to schedule it.\n[Duplicate]',
    );
  });
});

describe('editing a post', () => {
  async function holdStillHere(at = '2026-11-24T09:00:00Z') {
    await startBot();
    await holdPost(running, { text: 'Still here', at });
  }

  test.each(['edit', 'cancel', 'reschedule', 'undo'])(
    '/upnext %s explains that posts can’t be changed, and offers a copy',
    async (command) => {
      await typeInCoffeeChannel(`/upnext ${command}`);
      await seeAll(ana, 'I can’t edit, move or cancel a scheduled post.', 'Which Harbour Coffee post?');
      expect(getLastMessage(ana)).toMatch(/Sat 21 Nov, 08:00 \(09:00 Berlin\) · .*\nFresh from the roaster/);
      await pressForForm(ana, 'Duplicate', 'Schedule a post');
    },
  );

  test.each(['edit', 'cancel'])('/upnext %s changes a post that is still editable', async (command) => {
    await holdStillHere();
    await ask(ana, `/upnext ${command}`, 'Which Harbour Coffee post?');
    expect(getLastMessage(ana)).not.toContain('I can’t edit, move or cancel');
    await chooseAndSee(ana, 'More options', 'Cancel post', '[Undo]', 'It won’t be sent.');
  });

  test('/upnext edit offers copies of the posts that match its text', async () => {
    await typeInCoffeeChannel('/upnext reschedule next week');
    await ana.sees('Cupping');
    expect(getLastMessage(ana)).not.toContain('Yirgacheffe');
    await ana.type('/upnext move yirgacheffe to next friday 9am');
    await expect.poll(() => getLastMessage(ana)).toMatch(/Which Harbour Coffee post.*Yirgacheffe/s);
    const form = await pressForForm(ana, 'Duplicate', 'Schedule a post');
    expect(form.value('When')).toBe('next friday 9am');
    await form.close();
    await ana.type('/upnext move yirgacheffe to 9/12');
    await expect.poll(() => getLastMessage(ana)).toMatch(/Which Harbour Coffee post.*Yirgacheffe/s);
    await ana.type('/upnext duplicate cupping to linkedin and x');
    await expect.poll(() => getLastMessage(ana)).toMatch(/Which Harbour Coffee post.*Cupping/s);
    await ana.type('/upnext reschedule Yirgacheffe 1 to 30 november');
    await expect.poll(() => getLastMessage(ana)).toMatch(/Which Harbour Coffee post.*Yirgacheffe/s);
    await ana.type('/upnext reschedule Cupping up to 30 november');
    await expect.poll(() => getLastMessage(ana)).toMatch(/Which Harbour Coffee post.*Cupping/s);
  });

  test('/upnext move begins the form with the typed time', async () => {
    await holdStillHere();
    await ask(ana, '/upnext move still here to thursday 10am', '[Move to…] [Duplicate] [Open]');
    const form = await pressForForm(ana, 'Move to…', 'Move to…');
    expect(form.text()).toContain('📅 Thu 26 Nov, 10:00');
    await form.submit();
    await ana.sees('Thu 26 Nov, 10:00');
  });

  // README has the second as its example.
  test.each([
    ['to thursday', 'to “thursday”?'],
    ['2 days later', '“2 days later”, to Thu 26 Nov, 09:00 (Lisbon)?'],
  ])(
    '/upnext move tuesday posts %s finds the posts of that day, and says where they go',
    async (target, goal) => {
      await holdStillHere();
      await ask(ana, `/upnext move tuesday posts ${target}`, '[Move to…] [Duplicate] [Open]');
      expect(getLastMessage(ana)).toContain(`Move this Harbour Coffee post on Tue 24 Nov (Lisbon) ${goal}`);
      expect((await pressForForm(ana, 'Move to…', 'Move to…')).text()).toContain('📅 Thu 26 Nov, 09:00');
    },
  );

  test.each([
    ['a day later', 'Wed 25 Nov, 09:00'],
    ['to a day later', 'Wed 25 Nov, 09:00'],
    ['by 1 day', 'Wed 25 Nov, 09:00'],
    ['+1 day', 'Wed 25 Nov, 09:00'],
    ['1 week 2 days and 1 hour later', 'Thu 3 Dec, 10:00'],
  ])('/upnext move … %s begins the forms with the time that this is for each post', async (shift, time) => {
    await holdStillHere();
    await ask(ana, `/upnext move still here ${shift}`, '[Move to…] [Duplicate] [Open]');
    const copy = await pressForForm(ana, 'Duplicate', 'Schedule a post');
    expect(copy.value('When')).toBe(`${time} (Lisbon)`);
    await copy.close();
    expect((await pressForForm(ana, 'Move to…', 'Move to…')).text()).toContain(`📅 ${time}`);
  });

  test.each([
    ['2 days later', '2 days later', '“2 days later”?'],
    ['to thursday', '', 'to “thursday”?'],
  ])('/upnext move … %s begins the form for all posts with a typed shift', async (target, shift, goal) => {
    await holdStillHere();
    await holdPost(running, { text: 'Here too', at: '2026-11-24T10:00:00Z' });
    await ask(ana, `/upnext move tuesday posts ${target}`, '2 posts in this list can still be changed.');
    expect(getLastMessage(ana)).toContain(`Move which Harbour Coffee post on Tue 24 Nov (Lisbon) ${goal}`);
    expect((await pressForForm(ana, 'Move all…', 'Move all posts')).value('By how long')).toBe(shift);
  });

  test.each(['a day later', 'the post a day later', 'a post to friday'])(
    '/upnext move %s offers all upcoming posts',
    async (words) => {
      await holdStillHere('2026-12-01T09:00:00Z');
      await ask(
        ana,
        `/upnext move ${words}`,
        'Move this Harbour Coffee post',
        '[Move to…] [Duplicate] [Open]',
      );
    },
  );
});

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
