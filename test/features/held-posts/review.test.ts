import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { editHeldPost } from '../../../src/held-posts/change.ts';
import type { HeldPostRow } from '../../../src/held-posts/held-post.ts';
import { readHeldContent } from '../../../src/held-posts/held-post-context.ts';
import { recheckAuthority } from '../../../src/held-posts/policy-change.ts';
import { findHeldPost } from '../../../src/held-posts/sql/held-posts.ts';
import { DEFAULT_POLICY, type ProjectPolicy } from '../../../src/preferences/project-policy.ts';
import { NOW } from '../../support/bot.ts';
import { submitLine } from '../../support/filled-form.ts';
import { expectParts, submitWith } from '../../support/form-steps.ts';
import { changeHeldPosts, holdPost, listHeldPosts, reviewedBy, stepOf } from '../../support/hold-posts.ts';
import { createPostingTimes } from '../../support/posting-times.ts';
import { failSlack, RECEIPT_PACE, setUpBot } from '../../support/set-up-bot.ts';
import { askAndPress, pressAndSee, pressForForm, seeAll } from '../../support/steps.ts';

/** Ana’s posts of Harbour Coffee are reviewed by Ben or Mira. */
const { database, running, setPolicy, startBot } = setUpBot();

const [ANA, BEN, MIRA] = ['U01ANAFERR', 'U02BENOKAF', 'U03MIRAVOS'];
const CHANNEL = 'C02HARBOUR';
const TUESDAY = '2026-11-24T09:00:00Z';
const POLICY: ProjectPolicy = { ...DEFAULT_POLICY, ...reviewedBy(BEN, MIRA) };

const setReviewed = (policy: Partial<ProjectPolicy>) => setPolicy({ ...POLICY, ...policy });
beforeEach(async () => {
  await startBot({ pace: RECEIPT_PACE, followsClock: true, startTime: NOW });
  await setReviewed({ channel: CHANNEL });
});

const as = (name: string) => running.workspace.as(name).in('#harbour-coffee');
const inDirectMessage = (name: string) => running.workspace.as(name).inDirectMessage();
const hold = (policy: Partial<ProjectPolicy> = {}) =>
  holdPost(running, { text: 'We open at nine', at: TUESDAY, policy: { ...POLICY, ...policy } });
/** Holds a post, and returns Ben once he is asked to review it. */
async function request() {
  await hold();
  const ben = as('Ben');
  await ben.sees('Please review this post');
  return ben;
}
/** The author changes a post. */
async function change(row: HeldPostRow, values: object) {
  const context = running.bot.heldPosts;
  const stored = await findHeldPost(database.db, row);
  const content = stored && (readHeldContent(context, stored)?.content as { values: object });
  await editHeldPost(
    context,
    { ...row, actor: ANA },
    { ...content, values: { ...content?.values, ...values } },
  );
}
async function moveClock(to: string) {
  running.workspace.clock.set(Date.parse(to));
  await running.bot.heldPosts.handleClockChange();
}
const listStates = async () => (await listHeldPosts(database)).map(({ state }) => state).join();
const countMessages = (text: string) =>
  as('Ben')
    .messages()
    .filter((message) => message.includes(text)).length;

describe('a request in the channel of the policy', () => {
  test('shows the post, its previews and who is asked, is approved with one press, and then says so', async () => {
    const ben = await request();
    await seeAll(ben, 'We open at nine', 'X shows the whole text in the feed.', 'Without approval by');
    expect(countMessages('Please review this post')).toBe(1);
    await pressAndSee(ben, 'Approve', 'I’ll hand it over to the scheduling service in time.');
    await ben.sees('approved this version.');
    expect([await listStates(), countMessages('Please review this post')]).toEqual(['held', 0]);
    const ana = await inDirectMessage('Ana');
    await ana.sees('Approved by Ben');
    expect(ana.messages()).toHaveLength(1);
    // Who approved it is said once.
    expect(ana.read().match(/Approved|approved/g)).toHaveLength(1);
  });

  test('says that the post’s time is on a blackout day', async () => {
    await setReviewed({
      channel: CHANNEL,
      blackouts: [{ from: '2026-11-24', to: '2026-11-24', name: 'Stock-taking' }],
    });
    const ben = await request();
    expect(ben.read()).toContain(
      'Tue 24 Nov is a blackout day of this project (Stock-taking). Request changes if',
    );
  });

  test('returns the post with a reason, which its author reads', async () => {
    const ben = await request();
    const form = await pressForForm(ben, 'Request changes', 'Request changes');
    expect(JSON.stringify((await form.submit()).errors)).toContain('Choose a reason above, or write one.');
    await submitWith(form, { 'What should change?': 'Say where <!channel>' });
    await ben.sees('Edit it, then send it for review again.');
    const ana = await inDirectMessage('Ana');
    await seeAll(ana, 'requested changes: “Say where <!channel>”', 'Send for review');
    expect(ana.messages()).toHaveLength(1);
    expect([await listStates(), running.service.created()]).toEqual(['draft', []]);
    // It stays in review, although posts of the project needn't be reviewed any more.
    await setReviewed({ channel: CHANNEL, review: 'optional' });
    const edit = await pressForForm(ana, 'Edit', 'Edit post');
    expect(edit.text()).toContain('Its reviewers are asked again. Without approval by');
    expect(edit.text()).not.toContain('You can’t approve');
    await submitWith(edit, { 'When you save': ['Schedule after review'] });
    await expect.poll(listStates).toBe('awaiting-review');
  });

  const NEW = { text: 'We *open* at ten', media: 'https://a.example/~ana/x.png' };

  test('shows the new version, what changed, and asks again in its thread', async () => {
    const row = await hold();
    const ben = as('Ben');
    await ben.sees('Please review this post');
    await change(row, NEW);
    // Formatting marks are part of the post.
    await ben.sees('Text: “We open at nine” → “We ∗open∗ at ten”');
    // An address leads to the same place as that of the post.
    await seeAll(ben, 'Media: none → “https://a.example/~ana/x.png”', 'There’s a new version of this post.');
    expect(countMessages('Please review this post')).toBe(1);
  });

  test('shows the new version after a refused decision, although Slack has lost its update', async () => {
    const row = await hold();
    const ben = as('Ben');
    const form = await pressForForm(ben, 'Request changes', 'Request changes');
    const { faults } = running.workspace;
    faults.set({ webApi: [{ method: 'chat.update', fault: 'error', error: 'message_not_found' }] });
    await change(row, NEW);
    await ben.sees('There’s a new version of this post.');
    faults.set({});
    expect(countMessages('We ∗open∗ at ten')).toBe(0);
    await submitWith(form, { 'What should change?': 'Say where' });
    await expect.poll(() => countMessages('We ∗open∗ at ten')).toBe(1);
    expect(await listStates()).toBe('awaiting-review');
  });
});

describe('two approvers of one step who press at once', () => {
  async function approveAtOnce(needs: 'any' | 'all') {
    await setReviewed({ channel: CHANNEL, reviewSteps: [stepOf([BEN, MIRA], needs)] });
    const { id } = await hold();
    const people = [as('Ben'), as('Mira')];
    for (const person of people) await person.sees('Please review this post');
    await Promise.all(people.map((person) => person.press('Approve')));
    await expect.poll(listStates).toBe('held');
    const events = await database.db
      .selectFrom('held_post_event')
      .select('kind')
      .where('held_post', '=', id)
      .where('kind', 'in', ['approved', 'scheduled'])
      .orderBy('position')
      .execute();
    return { people, kinds: events.map(({ kind }) => kind) };
  }

  test('make one approval if one is enough, and the other is told', async () => {
    const { people, kinds } = await approveAtOnce('any');
    expect(kinds).toEqual(['approved', 'scheduled']);
    const isTold = (person: (typeof people)[number]) =>
      person
        .messages()
        .some((text) => /has changed since, so nothing was done\. @(Ben|Mira) \w+ approved it, /.test(text));
    await expect.poll(() => people.filter(isTold).length).toBe(1);
  });

  test('both count if all have to approve, and the post is scheduled once', async () => {
    expect((await approveAtOnce('all')).kinds).toEqual(['approved', 'approved', 'scheduled']);
    const author = await inDirectMessage('Ana');
    await expect
      .poll(() => author.read())
      .toMatch(/Approved by (Ben Okafor and Mira Vos|Mira Vos and Ben Okafor)/);
  });
});

test('a press changes nothing by the author', async () => {
  await hold();
  const ana = as('Ana');
  await ana.sees('Please review this post');
  await pressAndSee(ana, 'Approve', 'You wrote this post, so somebody else has to review it.');
  await ana.press('Reject');
  expect(await listStates()).toBe('awaiting-review');
});

test('a press changes nothing on a post that nobody may schedule any more', async () => {
  const ben = await request();
  await changeHeldPosts(database, { state: 'needs-person', reason: 'not-allowed', next_at: null });
  await pressAndSee(ben, 'Approve', 'This post has changed since, so nothing was done.');
  expect(await listStates()).toBe('needs-person');
});

test('a press changes nothing by somebody who isn’t asked', async () => {
  await setReviewed({ channel: CHANNEL, reviewSteps: [stepOf([BEN])] });
  await hold();
  const mira = as('Mira');
  await mira.sees('Please review this post');
  await pressAndSee(mira, 'Approve', 'This post isn’t waiting for your review.');
  expect(await listStates()).toBe('awaiting-review');
});

test('a request says whose approval doesn’t count any more, and that person isn’t asked again', async () => {
  const approvedBy = (...ids: string[]) => ({ channel: CHANNEL, reviewSteps: [stepOf(ids, 'all')] });
  await setReviewed(approvedBy(BEN, MIRA));
  await hold(approvedBy(BEN, MIRA));
  const ben = as('Ben');
  await ben.sees('Please review this post');
  await pressAndSee(ben, 'Approve', '@Ben Okafor approved this version.');
  await setReviewed(approvedBy(MIRA));
  await pressAndSee(ben, 'Approve', 'This post isn’t waiting for your review.');
  await ben.sees('@Ben Okafor approved this version, but may no longer approve it.');
});

describe('requests in direct messages', () => {
  beforeEach(() => setReviewed({ channel: undefined }));

  test('go to each approver, and all change after a decision', async () => {
    await hold();
    const [ben, mira] = [await inDirectMessage('Ben'), await inDirectMessage('Mira')];
    await ben.sees('Please review this post');
    await mira.sees('Please review this post');
    await mira.press('Approve');
    await ben.sees('approved this version.');
    expect([await listStates(), ben.messages().join().includes('Please review')]).toEqual(['held', false]);
  });
});

test('a post that is opened from a list is decided there by whom it waits for, and not by its author', async () => {
  const ben = await request();
  const ana = as('Ana');
  await askAndPress(ana, '/upnext posts review', 'Open', 'Without approval by Tue 24 Nov');
  expect(ana.read()).not.toContain('[Review]');
  await askAndPress(ben, '/upnext posts review', 'Open', '[Cancel post]', '[Review]');
  await (await pressForForm(ben, 'Review', 'Upnext')).press('Approve');
  await expect.poll(listStates).toBe('held');
});

test('an edit by the only reviewer says that nobody is left, and gives nobody buttons to decide', async () => {
  await setReviewed({ channel: undefined, reviewSteps: [stepOf([BEN])] });
  await hold();
  const [ben, ana] = [await inDirectMessage('Ben'), await inDirectMessage('Ana')];
  await ben.sees('[Approve]');
  await askAndPress(ben, '/upnext posts review', 'Open', '[Edit]');
  const form = await pressForForm(ben, 'Edit', 'Edit post');
  expect(form.text()).toContain('You can’t approve a version that you’ve edited.');
  const saved = (await submitWith(form, { Text: 'We open at ten' })).view?.text() ?? '';
  expectParts(saved, 'Nobody who may review it is left', 'A Manager can change that with');
  expect(saved).not.toContain('Sent for review');
  await ana.sees('I found nobody who may approve it: a Manager can change that with');
  for (const person of [ana, ben])
    for (const button of ['[Approve]', '[Request changes]', '[Reject]'])
      await expect.poll(() => person.read()).not.toContain(button);
  // Its author reads once somebody else may review it, who decides.
  await setReviewed({ channel: undefined, reviewSteps: [stepOf([MIRA])] });
  await recheckAuthority(running.bot.heldPosts, 'T01HARBOUR');
  const mira = await inDirectMessage('Mira');
  await pressAndSee(mira, 'Approve', 'approved this version.');
  expect(await listStates()).toBe('held');
});

test.each([
  ['nobody else may', true, 'Nobody who may review it is left: nobody reviews what they wrote themselves.'],
  ['the project has no reviews', false, 'This project has no reviews, so there’s nobody to ask.'],
])('a new time by the only reviewer says that nobody is left if %s', async (_, isReviewed, text) => {
  await setReviewed({ channel: undefined, reviewSteps: [stepOf([BEN])] });
  await hold();
  const ben = await inDirectMessage('Ben');
  await askAndPress(ben, '/upnext posts review', 'Open', '[Move to…]');
  if (!isReviewed) await setReviewed({ review: 'off', reviewSteps: [] });
  const form = await pressForForm(ben, 'Move to…', 'Move to…');
  await submitWith(form, { When: '2026-11-25 10:00' });
  await ben.sees(text);
});

test('Home shows what waits for a person’s review first, with a button', async () => {
  await hold();
  const ben = running.workspace.as('Ben');
  await (await ben.home('Waiting for your review')).press('Review');
  await (await ben.modal('Upnext')).press('Approve');
  await ben.sees('approved this version.');
  expect(await listStates()).toBe('held');
  await running.workspace.as('Ana').home('Upcoming');
  expect((await ben.home('Upcoming')).text()).not.toContain('Waiting for your review');
});

test('a request to everybody doesn’t say that nobody may approve the post', async () => {
  await startBot({ membersDefaultRole: 'publisher', pace: RECEIPT_PACE, followsClock: true, startTime: NOW });
  const reviewSteps = [{ approvers: [{ kind: 'role', role: 'publisher' }], needs: 'any' }] as const;
  await setReviewed({ channel: CHANNEL, reviewSteps });
  await hold({ reviewSteps });
  await as('Ben').sees('Please review this post');
  expect(as('Ben').read()).not.toContain('nobody who may approve');
});

test('Home says that there may be posts to review while it can’t find out who may approve them', async () => {
  await setReviewed({
    channel: CHANNEL,
    reviewSteps: [{ approvers: [{ kind: 'group', id: 'S1' }], needs: 'any' }],
  });
  await hold();
  failSlack(running, { method: 'usergroups.users.list', fault: 'error', error: 'internal_error' });
  expect((await running.workspace.as('Ben').home('Upcoming')).text()).toContain(
    'I couldn’t find out yet which posts wait for you.',
  );
});

test('a post that wasn’t approved in time is approved for a new time', async () => {
  const ben = await request();
  await moveClock('2026-11-24T09:05:00Z');
  await ben.sees('Not approved in time');
  // Its author reads this, too, and can't approve it.
  await ben.sees('Its reviewers can still approve it, or you pick a new time and I’ll ask them again.');
  const form = await pressForForm(ben, 'Approve and schedule for…', 'Approve for…');
  await form.fill('When', 'blorp');
  await ben.sees('⚠️ I didn’t understand “blorp”.');
  expect(JSON.stringify((await form.submit()).errors)).toContain('Try “');
  await form.fill('When', '25 Nov 9am');
  await ben.sees('📅 Wed 25 Nov, 9:00 AM (Lisbon)');
  expect((await form.submit()).view?.text()).toContain('Approved for Wed 25 Nov, 9:00 AM (Lisbon).');
  expect(await listStates()).toBe('held');
});

test('a reviewer of a later step who picks a new time reads that the review starts again', async () => {
  const reviewSteps = [stepOf([MIRA]), stepOf([BEN])];
  await setReviewed({ channel: CHANNEL, reviewSteps });
  await hold({ reviewSteps });
  await as('Mira').sees('Please review this post');
  await pressAndSee(as('Mira'), 'Approve', 'Step 2 of 2.');
  await moveClock('2026-11-24T09:05:00Z');
  await as('Ben').sees('Not approved in time');
  const form = await pressForForm(as('Ben'), 'Approve and schedule for…', 'Approve for…');
  const { view } = await submitWith(form, { When: '25 Nov 9am' });
  expectParts(view?.text(), 'Moved. Its review starts again.', 'Step 1 of 2. Waiting for @Mira');
  expect(await listStates()).toBe('awaiting-review');
});

test('a post that wasn’t approved in time is approved for the next slot', async () => {
  const postingTimes = [createPostingTimes(['X'], 'weekdays 9:00, 16:30')];
  await setReviewed({ channel: CHANNEL, postingTimes });
  const ben = await request();
  await moveClock('2026-11-24T09:05:00Z');
  const form = await pressForForm(ben, 'Approve and schedule for…', 'Approve for…');
  await submitWith(form, { When: 'next slot' });
  await ben.sees('Approved');
  const [post] = await listHeldPosts(database);
  expect(post?.publish_at).toEqual(new Date('2026-11-24T16:30:00Z'));
  expect(await database.db.selectFrom('slot_reservation').selectAll().execute()).toEqual([]);
});

test('a draft is sent for review with one press', async () => {
  await setReviewed({ channel: CHANNEL, review: 'optional' });
  const ana = as('Ana');
  await submitLine(ana, '/schedule-post 1 Dec 9am on x draft: We open at nine');
  await pressAndSee(ana, 'Send for review', 'Waiting for review');
  await as('Ben').sees('Please review this post');
  expect(await listStates()).toBe('awaiting-review');
});

test('a user group that gains or loses a member is looked up again for the posts that wait, and no other group', async () => {
  const { admin } = running.workspace;
  const id = admin.addGroup('editors', ['Ben', 'Mira']);
  admin.addGroup('baristas', ['Ana']);
  await setReviewed({ reviewSteps: [{ approvers: [{ kind: 'group', id }], needs: 'any' }] });
  await holdPost(running, { text: 'We open at nine', at: '2026-12-24T09:00:00Z', policy: POLICY });
  const readMinutes = async () => {
    const [post] = await listHeldPosts(database);
    return ((post?.next_at?.getTime() ?? 0) - running.bot.heldPosts.clock.readShared().getTime()) / 60_000;
  };
  const before = await readMinutes();
  admin.changeGroup('baristas', { members: ['Ben'] });
  await as('Ben').type('/upnext help');
  expect(await readMinutes()).toBeCloseTo(before, -1);
  admin.changeGroup('editors', { members: ['Mira'] });
  // By then, no instance has the members from before.
  await expect.poll(readMinutes).toBeLessThan(7);
  expect(await readMinutes()).toBeGreaterThan(4);
});

describe('reminders in direct messages', () => {
  /** Ben approves first, then Mira. The post goes over on Tuesday at 8:00, an hour before its time. */
  const STEPS = { channel: undefined, reviewSteps: [stepOf([BEN]), stepOf([MIRA])] };
  const REMINDER = 'This post still waits for your review.';
  const count = (reader: { messages(): string[] }, text: string) =>
    reader.messages().filter((message) => message.includes(text)).length;

  test('reach the people who still have to decide a day and two hours before the hand-over, and say when it is too late', async () => {
    await setReviewed(STEPS);
    await hold(STEPS);
    const [ben, mira] = [await inDirectMessage('Ben'), await inDirectMessage('Mira')];
    await ben.sees('Step 1 of 2.');
    await moveClock('2026-11-23T08:00:30Z');
    await expect.poll(() => count(ben, REMINDER)).toBe(1);
    await moveClock('2026-11-23T12:00:00Z');
    await moveClock('2026-11-24T06:00:30Z');
    await expect.poll(() => [count(ben, 'I’ve asked again below.'), count(ben, REMINDER)]).toEqual([1, 1]);
    expect(count(mira, 'review')).toBe(0);
    await moveClock('2026-11-24T08:00:30Z');
    await seeAll(ben, 'This post wasn’t approved in time, so I didn’t send it.', 'Approve and schedule for…');
    await (await inDirectMessage('Ana')).sees('Not approved in time');
    expect(running.service.created()).toEqual([]);
  });

  test('follow the step before, and say which approval no longer counts after a change', async () => {
    await setReviewed(STEPS);
    const row = await hold(STEPS);
    const [ben, mira] = [await inDirectMessage('Ben'), await inDirectMessage('Mira')];
    await ben.sees('Step 1 of 2.');
    await ben.press('Approve');
    await mira.sees('Step 2 of 2.');
    await ben.sees('Step 2 of 2.');
    expect(count(ben, REMINDER)).toBe(0);
    await change(row, { text: 'We open at ten' });
    await seeAll(
      ben,
      'This post was changed after it was approved. That approval no longer counts',
      'Step 1 of 2.',
    );
  });
});

describe('while somebody takes the last slots of the project', () => {
  afterEach(() => sql`drop function if exists lose_slot cascade`.execute(database.db));

  test.each([
    ['moved', 'Move to…', 'Move to…'],
    ['approved too late', 'Approve and schedule for…', 'Approve for…'],
  ])(
    'a post that is %s keeps its time, and the form says that no slot is free',
    async (how, button, title) => {
      await setReviewed({ channel: CHANNEL, postingTimes: [createPostingTimes(['X'], 'every monday 9:00')] });
      const ben = await request();
      if (how === 'moved') await askAndPress(ben, '/upnext posts 24 nov', 'Open');
      else await moveClock('2026-11-24T09:05:00Z');
      const form = await pressForForm(ben, button, title);
      const readPosts = () => database.db.selectFrom('held_post').select(['state', 'publish_at']).execute();
      const before = await readPosts();
      await form.fill('When', 'next slot');
      await ben.sees('9:00 AM (Lisbon). The next free X slot.');
      await sql`create function lose_slot() returns trigger language plpgsql as
      $$ begin return null; end $$`.execute(database.db);
      await sql`create trigger lose_slot before insert on slot_reservation for each row
      execute function lose_slot()`.execute(database.db);
      expect((await form.submit()).errors).toEqual({
        When: expect.stringMatching(
          /^No X slot of the next 13 weeks is free from Mon \d+ Nov on\. Enter a time/,
        ),
      });
      expect(form.value('When')).toBe('next slot');
      expect(await readPosts()).toEqual(before);
    },
  );
});
