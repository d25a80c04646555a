import { beforeEach, describe, expect, test } from 'vitest';
import { stopSending } from '../../../src/engine/sending-stop.ts';
import { recheckAuthority } from '../../../src/held-posts/policy-change.ts';
import { readShownPost } from '../../../src/held-posts/show.ts';
import { renderHeldPostCard } from '../../../src/held-posts/text/held-post-card.ts';
import { DEFAULT_POLICY } from '../../../src/preferences/project-policy.ts';
import { disableParsing } from '../../../src/slack/message.ts';
import { NOW } from '../../support/bot.ts';
import { copyLastRequest, deliver } from '../../support/doubled-form.ts';
import { expectNone, expectParts, submitWith } from '../../support/form-steps.ts';
import { changeHeldPosts, holdPost, reviewedBy } from '../../support/hold-posts.ts';
import { countRequestsInFlight, waitUntilIdle } from '../../support/requests-in-flight.ts';
import { data, invalid } from '../../support/scripted-service.ts';
import { RECEIPT_PACE, setUpBot } from '../../support/set-up-bot.ts';
import {
  ask,
  confirmAndSee,
  pressAndConfirm,
  pressAndSee,
  pressForForm,
  seeAll,
} from '../../support/steps.ts';
import { grantBen, revokeBen } from '../../support/two-projects.ts';

countRequestsInFlight();
/** Ana owns the workspace, and Ben has the role that each test gives him. */
const { database, running, setPolicy, startBot } = setUpBot();
const POLICY = { ...DEFAULT_POLICY, leadMinutes: 60 };
const HARBOUR = { workspace: 'T01HARBOUR', project: 'p1' };
const [ANA, BEN] = ['U01ANAFERR', 'U02BENOKAF'];

beforeEach(async () => {
  await startBot({ pace: RECEIPT_PACE, membersDefaultRole: null, scanIntervalMs: 200 });
  await setPolicy(POLICY);
});

const person = (name: 'Ana' | 'Ben') => running.workspace.as(name).in('#harbour-coffee');

/** Stores a post that its author has written. */
async function hold(author: string, options: { isDraft?: boolean; at?: string | undefined } = {}) {
  return (await holdPost(running, { text: 'We open at nine', at: '2030-01-01', author, ...options })).id;
}

/** Sends the buttons of a post's card to the channel, where everybody can press them. */
async function share(id: string) {
  const { heldPosts } = running.bot;
  const row = await database.db
    .selectFrom('held_post')
    .selectAll()
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  const card = renderHeldPostCard(await readShownPost(heldPosts, row), { viewers: 'everyone', now: NOW });
  const client = await heldPosts.findSlackClient(HARBOUR.workspace);
  if (!client || client === 'unknown') throw new Error('no client');
  const sent = await client.chat.postMessage({ channel: '#harbour-coffee', ...disableParsing(card) });
  await database.db
    .insertInto('held_post_message')
    .values({
      ...{ workspace: HARBOUR.workspace, held_post: id, purpose: 'shared', sent_at: NOW },
      ...{ channel: sent.channel ?? '', ts: sent.ts ?? '' },
    })
    .execute();
}

const readRow = () => database.db.selectFrom('held_post').selectAll().executeTakeFirstOrThrow();
const readState = async () => {
  const { state, reason } = await readRow();
  return reason === null ? state : `${state}: ${reason}`;
};

/** [Hand over now] is in the menu of a card, and asks first. */
async function handOver(person: ReturnType<typeof running.workspace.as>) {
  await person.choose('More options', 'Hand over now');
  await (await person.modal('Hand it over now?')).submit();
}

describe('somebody else’s post', () => {
  test('isn’t changed by any press of a contributor', async () => {
    await grantBen(database.db, 'contributor', 'p1');
    await share(await hold(ANA));
    const ben = person('Ben');
    for (const button of ['Cancel post', 'Edit', 'Move to…', 'Hand over now']) {
      const countBefore = ben.messages().length;
      await (button === 'Hand over now' ? ben.choose('More options', button) : pressAndConfirm(ben, button));
      const readNew = () => ben.messages().slice(countBefore).join();
      await expect.poll(readNew, { message: button }).toContain('You need the');
      expect([await readState(), (await readRow()).version]).toEqual(['held', 1]);
    }
  });

  test('needs a publisher, which somebody without a role reads at once', async () => {
    await share(await hold(ANA));
    await pressAndSee(person('Ben'), 'Edit', 'You need the Publisher role for this');
    await pressAndSee(person('Ben'), 'Request access', 'Request sent for the Publisher role.');
  });

  test('can be cancelled by a publisher, and its author reads who did it', async () => {
    await grantBen(database.db, 'publisher', 'p1');
    await share(await hold(ANA));
    await pressAndSee(person('Ben'), 'Cancel post', 'It won’t be sent.');
    const ana = person('Ana');
    await ana.inDirectMessage();
    await ana.sees('cancelled it.');
    expect(await readState()).toBe('cancelled');
  });
});

test('an outdated button changes nothing, also after the hand-over, and the current card is shown', async () => {
  const id = await hold(ANA);
  await share(id);
  await changeHeldPosts(database, { version: 2 });
  await pressAndSee(person('Ana'), 'Cancel post', 'This post has changed since, so nothing was done.');
  expect(await readState()).toBe('held');
  await changeHeldPosts(database, { state: 'delivered', next_at: null });
  await pressAndSee(person('Ana'), 'Cancel post', 'so nothing was done');
  await person('Ana').sees('The scheduling service publishes it at its time.');
  expect(await readState()).toBe('delivered');
});

test('a button that is pressed too late hands nothing over while the project is stopped', async () => {
  await share(await hold(ANA));
  await stopSending(database.db, { reason: '', since: NOW }, HARBOUR);
  await handOver(person('Ana'));
  await person('Ana').sees('Sending is stopped, so it waits.');
  await expect.poll(readState).toBe('held: stopped');
  expect(running.service.created()).toEqual([]);
});

test('a button that is pressed too late moves a post only once if its form is sent twice', async () => {
  await share(await hold(ANA));
  const ana = person('Ana');
  const form = await pressForForm(ana, 'Move to…', 'Move to…');
  await form.fill('When', '+1 day');
  await changeHeldPosts(database, { version: 2 });
  await form.submit();
  await ana.sees('This post has changed since, so nothing was done.');
  expect((await readRow()).publish_at).toEqual(new Date('2030-01-01T00:00:00Z'));
});

test('a contributor may cancel their own draft, but can’t schedule it', async () => {
  await grantBen(database.db, 'contributor', 'p1');
  await share(await hold(BEN, { isDraft: true }));
  await pressAndSee(person('Ben'), 'Schedule', 'You need the');
  expect(await readState()).toBe('draft');
  await pressAndSee(person('Ben'), 'Cancel post', 'It won’t be sent.');
  expect(await readState()).toBe('cancelled');
});

test('a draft that a publisher schedules while its contributor edits it stays scheduled', async () => {
  await grantBen(database.db, 'contributor', 'p1');
  await share(await hold(BEN, { isDraft: true }));
  const ben = person('Ben');
  const form = await pressForForm(ben, 'Edit', 'Edit post');
  await form.fill('Text', 'We open at ten');
  await person('Ana').press('Schedule');
  await expect.poll(readState).toBe('held');
  const { version } = await readRow();
  await form.submit();
  await ben.sees('You need the Publisher role for this');
  expect([await readState(), (await readRow()).version]).toEqual(['held', version]);
  // What was typed isn't lost.
  expect(form.value('Text')).toBe('We open at ten');
});

test('[Schedule] of a draft schedules it once, also if its press comes three times', async () => {
  await startBot({ pace: RECEIPT_PACE, mode: 'http' });
  await setPolicy(POLICY);
  await share(await hold(ANA, { isDraft: true }));
  await person('Ana').press('Schedule');
  await expect.poll(readState).toBe('held');
  const { version } = await readRow();
  const payload = copyLastRequest(running);
  await Promise.all([deliver(running, payload), deliver(running, payload)]);
  await waitUntilIdle();
  expect([await readState(), (await readRow()).version]).toEqual(['held', version]);
  const events = await database.db.selectFrom('held_post_event').select('kind').execute();
  expect(events.filter(({ kind }) => kind === 'scheduled')).toHaveLength(1);
});

test.each([
  ['a date', '2030-01-01'],
  ['no date', undefined],
])('an edit that leaves a draft with %s as it is says so, and makes no new version', async (_, at) => {
  await startBot({ pace: RECEIPT_PACE });
  await setPolicy(POLICY);
  await share(await hold(ANA, { isDraft: true, at }));
  const form = await pressForForm(person('Ana'), 'Edit', 'Edit post');
  expect((await form.submit()).view?.title()).toBe('Nothing changed');
  expect([await readState(), (await readRow()).version]).toEqual(['draft', 1]);
});

describe('a contributor’s edit of their own post in review', () => {
  beforeEach(async () => {
    await setPolicy({ ...POLICY, ...reviewedBy(ANA) });
    await grantBen(database.db, 'contributor', 'p1');
    await share(await hold(BEN));
    await changeHeldPosts(database, { state: 'awaiting-review', in_review: true });
  });

  test('asks its reviewers again, as the form says', async () => {
    const ben = person('Ben');
    const form = await pressForForm(ben, 'Edit', 'Edit post');
    expect(form.value('When you save')).toBe('Schedule after review');
    expect(form.text()).toContain('Its reviewers are asked again. Without approval by');
    expectNone(form.text(), 'draft', 'until somebody schedules it');
    expect((await submitWith(form, { Text: 'We open at ten' })).errors ?? {}).toEqual({});
    await ben.sees('Sent for review');
    expect([await readState(), (await readRow()).version]).toEqual(['awaiting-review', 2]);
  });

  test.each([
    ['When', '', 'Please complete this required field.'],
    // Slack accepts spaces in a required field.
    ['When', ' ', 'Enter a time such as “tomorrow 9am”.'],
    ['Platforms', '', 'Please complete this required field.'],
  ])('isn’t saved without %s (“%s”), and stays in review', async (field, text, problem) => {
    const ben = person('Ben');
    const form = await pressForForm(ben, 'Edit', 'Edit post');
    await (field === 'When' ? form.fill(field, text) : form.choose(field, []));
    expect((await form.submit()).errors ?? {}).toEqual({ [field]: problem });
    expect(form.text()).toContain('Its reviewers are asked again.');
    expect([await readState(), (await readRow()).version]).toEqual(['awaiting-review', 1]);
  });

  test('asks its reviewers again if the project has stopped holding posts, as the form says', async () => {
    await setPolicy({ ...DEFAULT_POLICY, reviewSteps: reviewedBy(ANA).reviewSteps });
    const ben = person('Ben');
    const form = await pressForForm(ben, 'Edit', 'Edit post');
    expect(form.text()).toContain(
      'Its reviewers are asked again. Without approval by Mon 31 Dec 2029, 7:00 PM',
    );
    await submitWith(form, { Text: 'We open at ten' });
    await ben.sees('Sent for review');
    expect([await readState(), (await readRow()).version]).toEqual(['awaiting-review', 2]);
  });

  test('leaves a draft if a reviewer has requested changes meanwhile, and shows that', async () => {
    const ben = person('Ben');
    const form = await pressForForm(ben, 'Edit', 'Edit post');
    await changeHeldPosts(database, { state: 'draft', reason: 'changes-requested', version: 2 });
    await submitWith(form, { Text: 'We open at ten' });
    await ben.sees('changed this post');
    expect([form.value('Text'), await readState()]).toEqual(['We open at ten', 'draft: changes-requested']);
    expectParts(form.text(), 'Save as draft', 'It isn’t sent until somebody schedules it.');
    await form.submit();
    expect([await readState(), (await readRow()).version]).toEqual(['draft', 3]);
  });
});

test('a Publisher’s edit of a post in review asks its reviewers again, as the form says', async () => {
  await setPolicy({ ...POLICY, review: 'required' });
  await grantBen(database.db, 'publisher', 'p1');
  await share(await hold(BEN));
  await changeHeldPosts(database, { state: 'awaiting-review', in_review: true });
  const form = await pressForForm(person('Ben'), 'Edit', 'Edit post');
  expect(form.value('When you save')).toBe('Schedule after review');
});

test('a post whose author lost their role is found, its managers are asked, and one of them takes it over', async () => {
  await grantBen(database.db, 'publisher', 'p1');
  await hold(BEN);
  await revokeBen(database.db, 'p1');
  const context = running.bot.heldPosts;
  const ana = person('Ana');
  // The first lookup of a person in Slack fails, and is that of this command: a message would wait for a minute.
  await ana.inDirectMessage();
  await ask(ana, 'help', '/upnext');
  await recheckAuthority(context, HARBOUR.workspace);
  // The checks of a workspace's posts are spread over a minute.
  await changeHeldPosts(database, { next_at: context.clock.readShared() });
  context.verbs.wake();
  await ana.sees('Nobody may schedule it');
  await confirmAndSee(ana, 'Take over', 'Editable until');
  expect([await readState(), (await readRow()).author]).toEqual(['held', ANA]);
});

test('a refused post says so to the author who handed it over, and goes to the service again as soon as it’s fixed, as its form says', async () => {
  running.service.on('POST /posts', invalid({ loc: ['body', 'Content'], msg: 'too loud' }));
  await share(await hold(ANA));
  const ana = person('Ana');
  await handOver(ana);
  await seeAll(ana, 'Not accepted', 'Content: too loud');
  const form = await pressForForm(ana, 'Fix', 'Edit post');
  await ana.sees('too loud');
  expect(await readState()).toBe('needs-person: refused');
  // The card that Ana pressed says it.
  expect((await running.workspace.as('Ana').inDirectMessage()).messages()).toEqual([]);
  running.service.on('POST /posts', data({ Id: 'made' }));
  expect(form.text()).toContain('The scheduling service publishes it at its time.');
  await submitWith(form, { Text: 'We open quietly' });
  await expect.poll(readState).toMatch(/^delivered/);
});
