import { beforeEach, describe, expect, test } from 'vitest';
import { continuePost, openFilledForm, showMoreOptions, startSeries } from '../../support/filled-form.ts';
import { expectParts, fillIn, NOTE_BELOW, submitWith } from '../../support/form-steps.ts';
import { RECEIPT_PACE, setUpBot } from '../../support/set-up-bot.ts';
import {
  ask,
  askAndPress,
  askForForm,
  chooseAndSee,
  confirmAndSee,
  pressForForm,
  seeAll,
} from '../../support/steps.ts';
import { listUnfinished } from '../../support/stored-post-forms.ts';
import { grantBen } from '../../support/two-projects.ts';

/** A post that repeats: its rule is read before it is saved, and its posts are made ahead. */
const { ana, ben, database, running, setPolicy } = setUpBot({
  pace: RECEIPT_PACE,
  membersDefaultRole: null,
  scanIntervalMs: 200,
});

const listPosts = async () =>
  (await database.db.selectFrom('held_post').selectAll().orderBy('item').execute()).map(
    ({ state, publish_at: at }) => `${at?.toISOString().slice(0, 16)} ${state}`,
  );

/** Ben reviews each post. */
const BY_BEN = [{ approvers: [{ kind: 'person', id: 'U02BENOKAF' }], needs: 'any' }] as const;

const listStates = async () => [...new Set((await listPosts()).map((post) => post.split(' ')[1]))];

const listHeld = async () => (await listPosts()).filter((post) => post.endsWith('held'));

/** The posts of `startOnMondays` at a time in UTC. */
const listMondays = (time: string) =>
  ['11-23', '11-30', '12-07', '12-14', '12-21'].map((day) => `2026-${day}T${time} held`);

/** Starts a series of Ana's, of which five posts are made. */
async function startOnMondays() {
  await startSeries(ana, '/schedule-post every monday at 9 on x: Hello');
  await expect.poll(listPosts).toHaveLength(5);
}
/** Opens the post of 30 November. */
async function openLaterPost() {
  await askAndPress(ana, '/upnext posts 30 nov', 'Open');
}

describe('in a project that keeps posts editable', () => {
  beforeEach(() => setPolicy({ leadMinutes: 60 }));

  test('has a limit of texts, which the form names before anything is saved', async () => {
    const texts = Array.from({ length: 91 }, (_, index) => `Soup ${index}`);
    const join = (some: readonly string[]) => some.join('\n---\n');
    const { form } = await openFilledForm(running, { when: 'every weekday at 9', text: join(texts) });
    const { errors } = await form.submit();
    expect(errors).toEqual({
      Text: 'A series takes up to 90 texts. Remove some, or start another series with them.',
    });
    await form.fill('Text', join(texts.slice(1)));
    await form.submit();
    await ana.sees('90 texts');
  });

  test('a project with as many series as it can take says so, and keeps what was typed', async () => {
    await startSeries(ana, '/schedule-post every monday at 9 on x: Hello');
    const series = await database.db.selectFrom('series').selectAll().executeTakeFirstOrThrow();
    const copies = Array.from({ length: 99 }, (_, index) => ({
      ...series,
      ...{ id: `copy-${index}`, origin: `copy-${index}`, next_at: null },
    }));
    await database.db.insertInto('series').values(copies).execute();
    const { form } = await openFilledForm(running, { when: 'every weekday at 9' });
    await form.submit();
    await ana.sees('[Start series]');
    await (await ana.modal('New series')).submit();
    await ana.sees('This project has 100 running series, the most that I take.');
    await database.db.updateTable('series').set({ state: 'paused' }).where('id', '=', 'copy-0').execute();
    await (await ana.modal('Schedule a post')).submit();
    await (await ana.modal('New series')).submit();
    const count = database.db.selectFrom('series').select('id').where('state', '=', 'running');
    await expect.poll(() => count.execute()).toHaveLength(100);
  });

  test('the form shows the rule, its next dates and what a change of the clocks does, then starts the series', async () => {
    const { form } = await openFilledForm(running, { when: 'every weekday at 9' });
    await ana.sees('weekdays at 09:00 (Lisbon)');
    await form.submit();
    await ana.sees('[Start series]');
    for (const text of [
      'Mon 23 Nov, 09:00 (Lisbon)',
      'Fri 27 Nov, 09:00 (Lisbon)',
      'when the clocks change, next on Sun 28 Mar 2027',
    ])
      await ana.sees(text);
    await (await ana.modal('New series')).submit();
    await ana.sees('Saved.');
    await expect.poll(listPosts).toHaveLength(25);
    expect((await listPosts())[0]).toBe('2026-11-23T09:00 held');
  });

  test('a typed line starts a series with one press and its confirmation', async () => {
    await ana.type('/schedule-post every 2 weeks on friday until christmas on x: Weekend!');
    const rule = 'every other Friday at 09:00, from 27 Nov 2026, until 25 Dec 2026 (Lisbon)';
    const form = await ana.modal('Schedule a post');
    expectParts(form.text(), rule, '[Start series]');
    const { view: confirmation } = await form.submit();
    expect(confirmation?.title()).toBe('New series');
    expect(confirmation?.text()).toContain(rule);
    await confirmation?.submit();
    await ana.sees('Saved.');
    await expect
      .poll(listPosts)
      .toEqual(['2026-11-27T09:00 held', '2026-12-11T09:00 held', '2026-12-25T09:00 held']);
    await ask(ana, '/upnext series', 'Next: Fri 27 Nov, 09:00 (Lisbon)');
  });

  test('a series whose next post isn’t made yet is what comes next', async () => {
    await startSeries(ana, '/schedule-post every year on 1 march 9:00 on x: Birthday sale');
    await ask(
      ana,
      '/upnext',
      'Nothing is scheduled for Harbour Coffee before Mon 1 Mar 2027, 09:00, the next date of a series.',
    );
  });

  test('words that can mean one day or one of every month are asked', async () => {
    await ana.type('/schedule-post first tuesday of the month 10:00 on x: News');
    const form = await ana.modal('Schedule a post');
    expect(form.text()).toContain('Once, or every month?');
    await form.press('the first Tuesday of every month at 10:00 (Lisbon)');
    await ana.sees('[Start series]');
    await (await form.submit()).view?.submit();
    await expect.poll(listPosts).toEqual(['2026-12-01T10:00 held']);
  });

  test('a post of a series is cancelled alone, and the series with this and all later ones', async () => {
    await startOnMondays();
    await openLaterPost();
    await chooseAndSee(ana, 'More options', 'Series…', '[Cancel this and later]');
    await confirmAndSee(ana, 'Cancel this and later', '4 posts won’t go out.');
    expect((await listPosts()).map((post) => post.split(' ')[1])).toEqual([
      'held',
      ...Array.from({ length: 4 }, () => 'cancelled'),
    ]);
    const form = await pressForForm(ana, 'Edit', 'Edit series');
    expect(form.text()).toContain('• Mon 23 Nov, 09:00 (Lisbon)\nIt keeps its time');
    expect(form.text()).toContain('Somebody cancelled its later posts.');
    await form.close();
    await ana.press('Undo');
    await expect.poll(listStates).toEqual(['held']);
  });

  test('an edit changes the posts to come', async () => {
    await startOnMondays();
    const form = await pressForForm(ana, 'Edit', 'Edit series');
    expect(form.value('When')).toBe('every Monday at 09:00');
    expect(form.text()).not.toContain('Save as draft');
    await submitWith(form, { When: 'every monday at 11' });
    await (await ana.modal('Edit series')).submit();
    await expect.poll(listHeld).toEqual(listMondays('11:00'));
    await askAndPress(ana, '/upnext series', 'Open');
    await confirmAndSee(ana, 'Undo edit', 'The edit is undone.');
    await expect.poll(listHeld).toEqual(listMondays('09:00'));
  });

  test('a post for which an edit leaves no date says that it was cancelled with its series', async () => {
    await startOnMondays();
    await submitWith(await pressForForm(ana, 'Edit', 'Edit series'), { When: 'every tuesday at 11' });
    await (await ana.modal('Edit series')).submit();
    await expect.poll(listStates).toContain('cancelled');
    await ask(ana, '/upnext posts cancelled', '21 Dec, 09:00 · 🚫 Cancelled with its series');
  });

  test('another time zone that is chosen in an edit counts', async () => {
    await startOnMondays();
    const form = await pressForForm(ana, 'Edit', 'Edit series');
    await form.choose('Time zone', (await form.search('Time zone', 'Berlin'))[0] ?? '');
    await ana.sees('every Monday at 09:00 (Berlin)');
    expect(form.value('Time zone')).toContain('Berlin');
    await (await form.submit()).view?.submit();
    await expect.poll(listHeld).toEqual(listMondays('08:00'));
  });

  test('an edit of a post and all later ones says from when it applies', async () => {
    await startOnMondays();
    await openLaterPost();
    await ana.choose('More options', 'Series…');
    const form = await pressForForm(ana, 'Edit this and later', 'Edit series');
    await form.fill('When', 'every tuesday at 8');
    await expect
      .poll(() => form.text())
      .toContain('every Tuesday at 08:00 (Lisbon), from Mon 30 Nov on\n• Tue 1 Dec, 08:00');
    await form.submit();
    const confirmation = await ana.modal('Edit series');
    expect(confirmation.text()).toContain('from Mon 30 Nov on\n• Tue 1 Dec, 08:00');
    await confirmation.submit();
    await ana.sees('Next:\n• Mon 23 Nov, 09:00 (Lisbon)\n• Tue 1 Dec, 08:00');
    await confirmAndSee(ana, 'Undo edit', 'The edit is undone.\n:repeat: every Monday at 09:00 (Lisbon)\n');
  });

  test('an edit of a post and all later ones promises no time before another post of its day', async () => {
    await startSeries(ana, '/schedule-post every monday at 9 and 14:00 on x: Hello');
    await expect.poll(listPosts).toHaveLength(10);
    // The post of 9:00 was moved behind the other, which keeps its date.
    await database.db
      .updateTable('held_post')
      .set({ publish_at: new Date('2026-11-30T15:00Z') })
      .where('publish_at', '=', new Date('2026-11-30T09:00Z'))
      .execute();
    await openLaterPost();
    await ana.choose('More options', 'Series…');
    const form = await pressForForm(ana, 'Edit this and later', 'Edit series');
    await submitWith(form, { When: 'every monday at 8' });
    const confirmation = await ana.modal('Edit series');
    expect(confirmation.text()).toContain('from Mon 30 Nov on\n• Mon 7 Dec, 08:00');
    await confirmation.submit();
    await ana.sees('Next:\n• Mon 23 Nov, 09:00 (Lisbon)\n• Mon 23 Nov, 14:00');
  });

  test('an unsaved edit continues as an edit of its series, and isn’t offered once it is saved', async () => {
    await startOnMondays();
    const form = await pressForForm(ana, 'Edit', 'Edit series');
    await fillIn(form, { Text: 'Hello again', When: 'every monday at 11' });
    await ana.sees('every Monday at 11:00 (Lisbon)');
    await form.close();
    const continued = await continuePost(ana, 'Edit series');
    await expect.poll(() => continued.value('Text')).toBe('Hello again');
    await continued.submit();
    await (await ana.modal('Edit series')).submit();
    await ana.sees('Saved.');
    expect(await database.db.selectFrom('series').select('version').execute()).toEqual([{ version: 2 }]);
    expect((await askForForm(ana, '/schedule-post', 'Schedule a post')).text()).not.toContain('unsaved post');
  });

  test('an unsaved edit that only chose a template is offered', async () => {
    await startSeries(ana, '/schedule-post every monday at 9 on x: Hello');
    const form = await pressForForm(ana, 'Edit', 'Edit series');
    await form.press('More options');
    await expect.poll(() => form.labels()).toContain('Template');
    await form.search('Template', 'opening');
    await form.choose('Template', 'opening-hours');
    await expect.poll(() => listUnfinished(running)).toHaveLength(1);
    await form.close();
    expect((await askForForm(ana, '/schedule-post', 'Schedule a post')).text()).toContain('unsaved post');
  });

  test('an edit says which role it needs, if its author has lost it meanwhile', async () => {
    await grantBen(database.db, 'publisher', 'p1');
    await startSeries(ana, '/schedule-post every monday at 9 on x: Hello');
    await askAndPress(ben, '/upnext series', 'Open');
    const form = await pressForForm(ben, 'Edit', 'Edit series');
    await grantBen(database.db, 'contributor', 'p1');
    await form.fill('Text', 'Hello again');
    await ben.sees('Posts that repeat need the Publisher role.');
    expect(form.value('When you submit')).toBe('Schedule');
    await grantBen(database.db, 'publisher', 'p1');
    await form.submit();
    expect((await ben.modal('Edit series')).text()).toContain('every Monday at 9:00 AM');
  });

  test('an edit without a time is refused', async () => {
    await startOnMondays();
    const form = await pressForForm(ana, 'Edit', 'Edit series');
    // Slack accepts spaces in a required field.
    expect(Object.values((await submitWith(form, { When: ' ' })).errors)).toEqual([
      'Enter when it repeats, such as “every weekday at 9”.',
    ]);
    expect(await listPosts()).toHaveLength(5);
  });

  test('a line in a direct message opens the series that it has started', async () => {
    const direct = await running.workspace.as('Ana').inDirectMessage();
    await askAndPress(direct, 'schedule every monday at 9 on x: Hello', 'Open');
    const { view } = await (await direct.modal('Schedule a post')).submit();
    await view?.submit();
    await expect.poll(listPosts).toHaveLength(5);
    await direct.press('Open');
    await expect.poll(() => direct.read()).not.toContain('[Open]');
  });

  test.each([
    ['stored', { reason: null }, 'Hello'],
    ['cancelled', { state: 'cancelled' }, 'Hello'],
    ['cancelled from a date on', { ends_before: 1 }, 'Hello'],
    ['edited', { version: 2 }, 'Hello again'],
  ] as const)('a form sent again after its series was %s does nothing', async (_, change, text) => {
    await startOnMondays();
    const direct = await running.workspace.as('Ana').inDirectMessage();
    await direct.type(`schedule every monday at 9 on x: ${text}`);
    const { view } = await (await pressForForm(direct, 'Open', 'Schedule a post')).submit();
    // As if this form had started the series.
    const { origin } = await database.db.selectFrom('series').select('origin').executeTakeFirstOrThrow();
    const forms = await database.db.selectFrom('open_form').select('id').where('id', '!=', origin).execute();
    expect(forms).toHaveLength(1);
    await database.db
      .updateTable('series')
      .set({ ...change, origin: forms[0]?.id ?? '' })
      .execute();
    const { content } = await database.db.selectFrom('series').select('content').executeTakeFirstOrThrow();
    await view?.submit();
    await direct.sees('reason' in change ? 'Saved.' : 'Somebody has changed, paused or cancelled the series');
    expect(await database.db.selectFrom('series').select(['content', 'version']).execute()).toEqual([
      { content, version: 'version' in change ? 2 : 1 },
    ]);
  });

  test.each([
    ['every day at 25:00', '“at 25:00”: I found no date or time.'],
    ['every friday at 9, 0 times', '“0 times”: I found no date or time.'],
    ['every blue moon at 9', '“blue moon”: I didn’t understand every word.'],
  ])('says of “%s” what it didn’t understand, with examples that repeat', async (when, text) => {
    await openFilledForm(running, { when });
    await ana.sees(`${text} Try “every weekday at 9” or “first tuesday of every month 10:00”.`);
  });

  test('several texts take turns, and the form says before it is saved when they run out', async () => {
    const { form } = await openFilledForm(running, {
      text: 'First\n---\nSecond\n\n---\nThird',
      when: 'every day at 9',
    });
    await ana.sees('For several texts in turn, put a line with --- between them.');
    await submitWith(form, { 'Days before a text is used again': '7' });
    await seeAll(ana, '20 of the next 35 dates have no text', '3 texts in turn, none again within 7 days');
    const confirmation = await ana.modal('New series');
    expect(confirmation.text()).not.toContain('For several texts in turn');
    await confirmation.submit();
    await ana.sees('Saved.');
    await expect.poll(listPosts).toHaveLength(15);
    const direct = await running.workspace.as('Ana').inDirectMessage();
    await seeAll(direct, 'A series will run out of texts.', 'No text is left for Tue 24 Nov, 09:00 (Lisbon)');
    const editor = await pressForForm(direct, 'Edit', 'Edit series');
    expect(editor.value('Text')).toBe('First\n\n---\n\nSecond\n\n---\n\nThird');
    expect(editor.value('Days before a text is used again')).toBe('7');
  });

  test('a text that is too long for a platform is named, and a draft can’t repeat', async () => {
    const { ana, form } = await openFilledForm(running, {
      text: `First\n---\n${'x'.repeat(300)}`,
      when: 'every day at 9',
    });
    await ana.sees('⛔ Text 2: ');
    expect((await form.submit()).errors).toEqual({ Text: NOTE_BELOW });
    await showMoreOptions(ana, form);
    await fillIn(form, { Text: 'First', 'When you submit': ['Save as draft'] });
    expect(Object.values((await form.submit()).errors)).toEqual(['A draft can’t repeat. Choose “Schedule”.']);
  });
});

const NOT_HELD = 'Posts can repeat only in a project that keeps them editable.';

test('in a project whose posts go out at once, a manager reads what is missing, and turns it on', async () => {
  const { form } = await openFilledForm(running, { when: 'every weekday at 9' });
  const advice = 'To turn that on, press “Keep them until 1 hour before” at the end of the form.';
  await ana.sees(`${NOT_HELD} ${advice}`);
  expect((await form.submit()).errors).toEqual({ When: NOTE_BELOW });
  await form.press('Keep them until 1 hour before');
  await ana.sees('[Start series]');
  expect((await form.submit()).view?.title()).toBe('New series');
});

test('in a project whose manager chose that posts go out at once, the policy turns it on', async () => {
  await setPolicy({});
  await ana.type('/schedule-post every weekday at 9 on x: We open at nine');
  const form = await ana.modal('Schedule a post');
  expect(form.text()).toContain(`${NOT_HELD} Turn that on with /upnext policy, then submit again.`);
  expect(Object.values((await form.submit()).errors)).toEqual([NOTE_BELOW]);
  await setPolicy({ leadMinutes: 60 });
  expect((await form.submit()).view?.title()).toBe('New series');
});

test('people who can’t change the policy read whom to ask', async () => {
  await grantBen(database.db, 'publisher', 'p1');
  await ben.type('/schedule-post every weekday at 9 on x: We open at nine');
  const form = await ben.modal('Schedule a post');
  expect(form.text()).toContain(`${NOT_HELD} Ask a Manager to turn that on with /upnext policy.`);
  expect(Object.values((await form.submit()).errors)).toEqual([NOTE_BELOW]);
});

test('the card of a post of a series that can be reviewed leads to the series', async () => {
  await setPolicy({
    leadMinutes: 60,
    review: 'optional',
    reviewSteps: BY_BEN,
  });
  await startOnMondays();
  await openLaterPost();
  // The menu holds five entries.
  await ana.sees('[Hand over now] [More options]');
  await chooseAndSee(ana, 'More options', 'Series…', '[Cancel this and later]');
});

test('each text is reviewed once where the project says so', async () => {
  await grantBen(database.db, 'viewer', 'p1');
  await setPolicy({
    ...{ leadMinutes: 60, review: 'required', seriesReview: 'once' },
    reviewSteps: BY_BEN,
  });
  await (await askForForm(ana, '/schedule-post every monday at 9 on x: Hello', 'Schedule a post')).submit();
  await ana.sees('Its reviewers are asked once about each of its texts.');
  await (await ana.modal('New series')).submit();
  await expect.poll(listPosts).toHaveLength(5);
  await (await running.workspace.as('Ben').inDirectMessage()).press('Approve');
  await expect.poll(listStates).toEqual(['held']);
  await ask(ana, '/upnext policy Harbour Coffee', 'Posts that repeat are reviewed once for each text.');
});

test('a policy that asks only once about a text counts the approvals that there are', async () => {
  await grantBen(database.db, 'viewer', 'p1');
  await setPolicy({
    ...{ leadMinutes: 60, review: 'required', ownerOverride: 'U01ANAFERR' },
    reviewSteps: BY_BEN,
  });
  await startOnMondays();
  await (await running.workspace.as('Ben').inDirectMessage()).press('Approve');
  const countHeld = async () => (await listPosts()).filter((post) => post.endsWith('held')).length;
  await expect.poll(countHeld).toBe(1);
  const form = await askForForm(ana, '/upnext policy Harbour Coffee', 'Policy', 'Change policy');
  await form.press('More options');
  await ana.sees('Posts that repeat');
  await submitWith(form, { 'Posts that repeat': ['Review each text once'] });
  await ana.sees('Posts that repeat are reviewed once for each text.');
  await expect.poll(countHeld).toBe(5);
});
