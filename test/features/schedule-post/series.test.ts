import { beforeEach, describe, expect, test } from 'vitest';
import { DEFAULT_POLICY, savePolicy } from '../../../src/preferences/project-policy.ts';
import { NOW } from '../../support/bot.ts';
import { openFilledForm } from '../../support/filled-form.ts';
import { RECEIPT_PACE, setUpBot } from '../../support/set-up-bot.ts';

/** A post that repeats: its rule is read before it is saved, and its posts are made ahead. */
const { database, running, startBot } = setUpBot();

async function setPolicy(policy: Partial<typeof DEFAULT_POLICY> = { leadMinutes: 60 }) {
  await savePolicy(
    database.db,
    { workspace: 'T01HARBOUR', project: 'p1' },
    { ...DEFAULT_POLICY, ...policy },
    { changedBy: 'U01ANAFERR', changedAt: NOW },
  );
}
const listPosts = async () =>
  (await database.db.selectFrom('held_post').selectAll().orderBy('item').execute()).map(
    ({ state, publish_at: at }) => `${at?.toISOString().slice(0, 16)} ${state}`,
  );
const ana = () => running.workspace.as('Ana').in('#harbour-coffee');

beforeEach(async () => {
  await startBot({ pace: RECEIPT_PACE });
});

describe('in a project that keeps posts editable', () => {
  beforeEach(() => setPolicy());

  test('the form shows the rule, its next dates and what a change of the clocks does, then starts the series', async () => {
    const { form } = await openFilledForm(running, { when: 'every weekday at 9' });
    await ana().sees('weekdays at 09:00 (Lisbon)');
    await form.submit();
    await ana().sees('[Start series]');
    for (const text of [
      'Mon 23 Nov, 09:00 (Lisbon)',
      'Fri 27 Nov, 09:00 (Lisbon)',
      'when the clocks change, next on Sun 28 Mar 2027',
    ])
      await ana().sees(text);
    await (await ana().modal('New series')).submit();
    await ana().sees('Saved.');
    await expect.poll(listPosts).toHaveLength(25);
    expect((await listPosts())[0]).toBe('2026-11-23T09:00 held');
  });

  test('a typed line starts a series with one press', async () => {
    await ana().type('/schedule-post every 2 weeks on friday until christmas on x: Weekend!');
    await ana().sees('every other Friday at 09:00, from 27 Nov 2026, until 25 Dec 2026 (Lisbon)');
    await ana().press('Start series');
    await ana().sees('Saved.');
    await expect
      .poll(listPosts)
      .toEqual(['2026-11-27T09:00 held', '2026-12-11T09:00 held', '2026-12-25T09:00 held']);
    await ana().type('/upnext series');
    await ana().sees('Next: Fri 27 Nov, 09:00 (Lisbon)');
  });

  test('words that can mean one day or one of every month are asked', async () => {
    await ana().type('/schedule-post first tuesday of the month 10:00 on x: News');
    await ana().sees('Once, or every month?');
    await ana().press('the first Tuesday of every month at 10:00 (Lisbon)');
    await ana().sees('[Start series]');
    await ana().press('Start series');
    await expect.poll(listPosts).toEqual(['2026-12-01T10:00 held']);
  });

  test('a post of a series is cancelled alone, and the series with this and all later ones', async () => {
    await ana().type('/schedule-post every monday at 9 on x: Hello');
    await ana().press('Start series');
    await ana().sees('Saved.');
    await expect.poll(listPosts).toHaveLength(5);
    await ana().type('/upnext posts 30 nov');
    await ana().press('Open');
    await ana().press('Series…');
    await ana().sees('[Cancel this and later]');
    await ana().press('Cancel this and later', { dialog: 'confirm' });
    await ana().sees('4 posts won’t go out.');
    expect((await listPosts()).map((post) => post.split(' ')[1])).toEqual([
      'held',
      ...Array.from({ length: 4 }, () => 'cancelled'),
    ]);
    await ana().press('Undo');
    await expect
      .poll(async () => new Set((await listPosts()).map((post) => post.split(' ')[1])))
      .toEqual(new Set(['held']));
  });

  test('an edit changes the posts to come', async () => {
    await ana().type('/schedule-post every monday at 9 on x: Hello');
    await ana().press('Start series');
    await ana().sees('Saved.');
    await expect.poll(listPosts).toHaveLength(5);
    await ana().press('Edit');
    const form = await ana().modal('Edit series');
    expect(form.value('When')).toBe('every Monday at 09:00 (Lisbon)');
    await form.fill('When', 'every monday at 11');
    await form.submit();
    await (await ana().modal('Edit series')).submit();
    await expect
      .poll(async () => (await listPosts()).filter((post) => post.endsWith('held')))
      .toEqual(
        ['23', '30', '07', '14', '21'].map((day, index) => `2026-${index < 2 ? 11 : 12}-${day}T11:00 held`),
      );
  });

  test('several texts take turns, and the form says before it is saved when they run out', async () => {
    const { form } = await openFilledForm(running, {
      text: 'First\n---\nSecond\n\n---\nThird',
      when: 'every day at 9',
    });
    await ana().sees('For several texts in turn, put a line with --- between them.');
    await form.fill('Days before a text is used again', '7');
    await form.submit();
    await ana().sees('20 of the next 35 dates have no text');
    await ana().sees('3 texts in turn, none again within 7 days');
    await (await ana().modal('New series')).submit();
    await ana().sees('Saved.');
    await expect.poll(listPosts).toHaveLength(15);
    const direct = await running.workspace.as('Ana').inDirectMessage();
    await direct.sees('A series will run out of texts.');
    await direct.sees('No text is left for Tue 24 Nov, 09:00 (Lisbon)');
    await direct.press('Edit');
    const editor = await direct.modal('Edit series');
    expect(editor.value('Text')).toBe('First\n\n---\n\nSecond\n\n---\n\nThird');
    expect(editor.value('Days before a text is used again')).toBe('7');
  });

  test('a text that is too long for a platform is named', async () => {
    const { form } = await openFilledForm(running, {
      text: `First\n---\n${'x'.repeat(300)}`,
      when: 'every day at 9',
    });
    expect(JSON.stringify((await form.submit()).errors)).toContain('Text 2: ');
  });

  test('a draft can’t repeat', async () => {
    const { form } = await openFilledForm(running, { when: 'every weekday at 9' });
    await form.choose('When you submit', 'Save as draft');
    expect(Object.values((await form.submit()).errors)).toEqual(['A draft can’t repeat. Choose “Schedule”.']);
  });
});

test('in a project whose posts go out at once, a manager reads what is missing, and turns it on', async () => {
  const { form } = await openFilledForm(running, { when: 'every weekday at 9' });
  expect(Object.values((await form.submit()).errors)).toEqual([
    'Posts can repeat only in a project that keeps them editable. Press “Keep posts editable” below, then submit again.',
  ]);
  await ana().sees('[Keep posts editable]');
  await setPolicy();
  await form.submit();
  await ana().sees('[Start series]');
});

test('each post is reviewed where the project says so', async () => {
  await setPolicy({
    leadMinutes: 60,
    review: 'required',
    reviewSteps: [{ approvers: [{ kind: 'person', id: 'U02BENOKAF' }], needs: 'any' }],
  });
  await ana().type('/schedule-post every monday at 9 on x: Hello');
  await ana().press('Start series');
  await expect
    .poll(async () => new Set((await listPosts()).map((post) => post.split(' ')[1])))
    .toEqual(new Set(['awaiting-review']));
});
