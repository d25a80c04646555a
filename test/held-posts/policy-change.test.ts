import { expect, test } from 'vitest';
import { countWaitingPosts, handOverAll, rescheduleHandOver } from '../../src/held-posts/policy-change.ts';
import { MINUTE_MS, POLICY, setUpTestHeldPosts } from '../support/start-held-posts.ts';

const fixture = await setUpTestHeldPosts();

const PROJECT = { workspace: 'T1', project: 'p1' };
const reschedule = (leadMinutes: number) =>
  fixture.db.transaction().execute((trx) => rescheduleHandOver(fixture.context, trx, PROJECT, leadMinutes));
const handOver = () => fixture.db.transaction().execute((trx) => handOverAll(fixture.context, trx, PROJECT));
const listHandOvers = async () =>
  (await fixture.listRows()).map(
    ({ hand_over_at: handOverAt, publish_at: publishAt }) =>
      ((publishAt?.getTime() ?? 0) - (handOverAt?.getTime() ?? 0)) / MINUTE_MS,
  );

test('posts that stay held go over with the new, longer lead', async () => {
  await fixture.hold(['one']);
  await reschedule(180);
  expect(await listHandOvers()).toEqual([180]);
  await fixture.runAt(181);
  expect(fixture.listSentTexts()).toEqual([]);
  await fixture.runAt(179);
  expect(fixture.listSentTexts()).toEqual(['one']);
});

test('posts that stay held don’t go over before the new, shorter lead', async () => {
  await fixture.hold(['one']);
  await reschedule(15);
  await fixture.runAt(59);
  expect(fixture.listSentTexts()).toEqual([]);
  await fixture.runAt(14);
  expect(fixture.listSentTexts()).toEqual(['one']);
});

test('a post whose new hand-over has passed is due at once', async () => {
  await fixture.hold(['one']);
  fixture.setMinutesBefore(90);
  await reschedule(120);
  fixture.context.verbs.wake();
  await fixture.runAt(90);
  expect(fixture.listSentTexts()).toEqual(['one']);
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
  });
  expect(await handOver()).toBe(2);
  await fixture.runAt(24 * 60 - 1);
  expect(fixture.listSentTexts().toSorted()).toEqual(['one', 'two']);
  expect(await countWaitingPosts(fixture.db, PROJECT, new Date(0))).toEqual({
    held: 0,
    inReview: 1,
    inOutbox: 0,
    inFlight: 0,
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
  await fixture.runAt(59, instance);
  expect(fixture.listSentTexts()).toEqual([]);
  expect(await fixture.listStates()).toEqual(['held']);
  await fixture.runAt(14);
  expect(fixture.listSentTexts()).toEqual(['one']);
});
