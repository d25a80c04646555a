import { expect, test } from 'vitest';
import { handOverUntil } from '../../src/held-posts/hand-over.ts';
import { POLICY, setUpTestHeldPosts } from '../support/start-held-posts.ts';

const fixture = await setUpTestHeldPosts();

/** Runs the operator's command four hours before the publishing time. Posts go over an hour before it. */
async function handOverFor(minutes: number) {
  fixture.setMinutesBefore(240);
  const now = fixture.context.clock.now();
  const counts = await handOverUntil(fixture.db, { until: new Date(now.getTime() + minutes * 60_000), now });
  // The clock of the tests is ahead of the database's.
  await fixture.runAt(240);
  return counts;
}

test('posts that are due until the end of a downtime go over at once', async () => {
  await fixture.hold(['We open at nine']);
  expect(await handOverFor(200)).toEqual({ handedOver: 1, inReview: 0 });
  expect(fixture.listSentTexts()).toEqual(['We open at nine']);
});

test('posts that are due later stay', async () => {
  await fixture.hold(['We open at nine']);
  expect(await handOverFor(100)).toEqual({ handedOver: 0, inReview: 0 });
  expect(fixture.listSentTexts()).toEqual([]);
});

test('posts in review are counted, and still need their approval', async () => {
  await fixture.hold(['We open at nine'], { policy: { ...POLICY, review: 'required' } });
  expect(await handOverFor(200)).toEqual({ handedOver: 0, inReview: 1 });
  expect(fixture.listSentTexts()).toEqual([]);
});
