import { describe, expect, test } from 'vitest';
import { createApiClient } from '../../src/api/client.ts';
import { changeHeldPost, editHeldPost } from '../../src/held-posts/change.ts';
import {
  makeHandOverDue,
  moveHeldPost,
  scheduleAgain,
  scheduleDraft,
  takeOver,
  waitForOutcome,
} from '../../src/held-posts/decisions.ts';
import { HELD_POSTS } from '../../src/held-posts/held-post.ts';
import {
  countWaitingPosts,
  makeHandOversDue,
  rescheduleHandOver,
} from '../../src/held-posts/policy-change.ts';
import { listEvents } from '../../src/held-posts/sql/events.ts';
import { findHeldPost } from '../../src/held-posts/sql/held-posts.ts';
import { createPostAt } from '../support/post-submissions.ts';
import { MINUTE_MS, POLICY, setUpTestHeldPosts } from '../support/start-held-posts.ts';

/** What people decide about a held post. */

const fixture = await setUpTestHeldPosts();

async function holdOne(contents = [createPostAt('Hello', 0)]) {
  const { id } = await fixture.holdOne('', { contents });
  return (actor: string, version = 1) => ({ id, workspace: 'T1', actor, version });
}
const createDraft = () => {
  const content = createPostAt('Hello', 0);
  return { ...content, values: { ...content.values, status: 'DRAFT' as const } };
};
const [listSent, listStates] = [() => fixture.listSentTexts(), () => fixture.listStates()];

test('a press on a post that others keep changing changes nothing', async () => {
  const press = await holdOne();
  const result = await changeHeldPost(fixture.context, press('U2'), async ({ fence }) => {
    await fixture.db
      .updateTable('held_post')
      .set({ fence: fence + 1 })
      .execute();
    return { to: 'cancelled', event: 'cancelled' };
  });
  expect([result.kind, await listStates()]).toEqual(['outdated', ['held']]);
});

describe('[Hand over now]', () => {
  test('of somebody else is enough if the author may no longer schedule', async () => {
    const press = await holdOne();
    fixture.permissions.set('U1', 'no');
    await makeHandOverDue(fixture.context, press('U2'));
    await fixture.runAt(600);
    expect(listSent()).toEqual(['Hello']);
  });

  test('twice is one request, and says no more than that', async () => {
    const press = await holdOne();
    const results = [
      await makeHandOverDue(fixture.context, press('U2')),
      await makeHandOverDue(fixture.context, press('U3')),
    ];
    const kinds = (await listEvents(fixture.db, press('U1'))).map(({ kind, actor }) => `${kind} ${actor}`);
    expect([results.map(({ kind }) => kind), kinds]).toEqual([
      ['changed', 'too-late'],
      ['created U1', 'hurried U2'],
    ]);
  });

  test('is waited for no longer than its limit, however slow the database is', async () => {
    const press = await holdOne();
    const result = await makeHandOverDue(fixture.context, press('U1'));
    if (result.kind !== 'changed') throw new Error('nothing was handed over');
    const hangingDb = fixture.context.db.withPlugin({
      transformQuery: ({ node }) => node,
      transformResult: () => new Promise(() => undefined),
    });
    const row = await waitForOutcome({ ...fixture.context, db: hangingDb }, result.row, { maxMs: 300 });
    expect(row.state).toBe('held');
  });

  test('has no effect on a draft', async () => {
    const press = await holdOne([createDraft()]);
    expect((await makeHandOverDue(fixture.context, press('U1'))).kind).toBe('too-late');
  });
});

test('[Schedule] of a publisher carries the draft of a contributor', async () => {
  const press = await holdOne([createDraft()]);
  fixture.permissions.set('U1', 'no');
  await scheduleDraft(fixture.context, press('U2'));
  await fixture.runAt(60);
  expect(listSent()).toEqual(['Hello']);
});

describe('an edit', () => {
  test('by a person who loses the role isn’t handed over, if its author can’t schedule either', async () => {
    const press = await holdOne();
    await editHeldPost(fixture.context, press('U2'), createPostAt('Hello!', 0));
    for (const user of ['U1', 'U2']) fixture.permissions.set(user, 'no');
    await fixture.runAt(60);
    expect([listSent(), await listStates()]).toEqual([[], ['needs-person: not-allowed']]);
  });

  test('to a time within the lead goes over at once', async () => {
    const press = await holdOne();
    const soon = new Date(fixture.context.clock.now().getTime() + 10 * 60_000);
    await moveHeldPost(fixture.context, press('U1'), { instant: soon, isScheduled: false });
    await fixture.runAt(24 * 60);
    expect(listSent()).toEqual(['Hello']);
  });
});

describe('[Take over]', () => {
  test('makes the person the author, whose role is then enough', async () => {
    const press = await holdOne();
    fixture.permissions.set('U1', 'no');
    await fixture.runAt(70);
    expect(await listStates()).toEqual(['needs-person: not-allowed']);
    const results = [
      await takeOver(fixture.context, press('U7')),
      await takeOver(fixture.context, press('U8')),
    ];
    await fixture.runAt(60);
    expect([results.map(({ kind }) => kind), listSent()]).toEqual([['changed', 'too-late'], ['Hello']]);
    expect((await findHeldPost(fixture.db, press('U7')))?.author).toBe('U7');
  });

  test('after its time asks for another one', async () => {
    const press = await holdOne();
    fixture.permissions.set('U1', 'no');
    await fixture.runAt(60);
    fixture.setMinutesBefore(-1);
    await takeOver(fixture.context, press('U7'));
    expect(await listStates()).toEqual(['needs-person: overdue']);
  });
});

describe('[Schedule again]', () => {
  test('sends a post to the service that is connected now', async () => {
    const press = await holdOne();
    await fixture.db.updateTable('held_post').set({ endpoint: 'another service' }).execute();
    await fixture.runAt(60);
    expect(await listStates()).toEqual(['needs-person: other-service']);
    await scheduleAgain(fixture.context, press('U1'));
    await fixture.runAt(50);
    expect(listSent()).toEqual(['Hello']);
  });

  test('never says that a post wasn’t sent that may have gone out before a backup was restored', async () => {
    const press = await holdOne();
    await HELD_POSTS.restore(fixture.db, fixture.context.clock.readShared());
    await scheduleAgain(fixture.context, press('U1'));
    await fixture.runAt(-10);
    expect(await listStates()).toEqual(['needs-person: restored']);
    await scheduleAgain(fixture.context, press('U1'));
    expect(await listStates()).toEqual(['needs-person: restored']);
  });

  test('changes nothing without a connected service', async () => {
    const press = await holdOne();
    await HELD_POSTS.restore(fixture.db, fixture.context.clock.readShared());
    fixture.connection.api = undefined;
    expect((await scheduleAgain(fixture.context, press('U1'))).kind).toBe('not-checked');
    fixture.connection.api = createApiClient({ baseUrl: 'http://127.0.0.1:9', token: 't' });
    expect(await listStates()).toEqual(['needs-person: restored']);
  });
});

const PROJECT = { workspace: 'T1', project: 'p1' };
const reschedule = (leadMinutes: number) =>
  fixture.db.transaction().execute((trx) => rescheduleHandOver(fixture.context, trx, PROJECT, leadMinutes));
const handOver = () =>
  fixture.db.transaction().execute((trx) => makeHandOversDue(fixture.context, trx, PROJECT));
const listHandOvers = async () =>
  (await fixture.listRows()).map(
    ({ hand_over_at: handOverAt, publish_at: publishAt }) =>
      ((publishAt?.getTime() ?? 0) - (handOverAt?.getTime() ?? 0)) / MINUTE_MS,
  );

test('a post whose new hand-over has passed is due at once', async () => {
  await fixture.hold(['one']);
  fixture.setMinutesBefore(90);
  await reschedule(120);
  fixture.context.verbs.wake();
  expect(await fixture.runAt(90)).toEqual(['one']);
});

test('held posts go over now, and posts in review and posts of other projects stay', async () => {
  await fixture.hold(['one', 'two']);
  await fixture.hold(['three'], { policy: { ...POLICY, review: 'required' } });
  await fixture.hold(['four'], { project: 'p2' });
  expect(await countWaitingPosts(fixture.db, PROJECT, new Date(0))).toEqual({
    held: 2,
    inReview: 1,
    inOutbox: 0,
    inFlight: 0,
    series: 0,
  });
  expect(await handOver()).toBe(2);
  await fixture.runAt(24 * 60 - 1);
  expect(fixture.listSentTexts().toSorted()).toEqual(['one', 'two']);
  expect(await countWaitingPosts(fixture.db, PROJECT, new Date(0))).toEqual({
    held: 0,
    inReview: 1,
    inOutbox: 0,
    inFlight: 0,
    series: 0,
  });
});

test('a new lead moves the end of a review, and doesn’t remind its reviewers again', async () => {
  await fixture.hold(['one'], { policy: { ...POLICY, review: 'required' } });
  await reschedule(15);
  expect(await listHandOvers()).toEqual([15]);
  const [row] = await fixture.listRows();
  expect(row).toMatchObject({ state: 'awaiting-review', checks: 0 });
  await fixture.runAt(30);
  expect(await fixture.listStates()).toEqual(['awaiting-review']);
  await fixture.runAt(14);
  expect(await fixture.listStates()).toEqual(['needs-person: not-approved']);
});

test('an instance that is handing a post over loses its claim to a new lead', async () => {
  await fixture.hold(['one']);
  const instance = fixture.createInstance({
    onCrashPoint: (point) => (point === 'before-hand-over' ? reschedule(15) : undefined),
  });
  expect(await fixture.runAt(59, instance)).toEqual([]);
  expect(await fixture.listStates()).toEqual(['held']);
  expect(await fixture.runAt(14)).toEqual(['one']);
});
