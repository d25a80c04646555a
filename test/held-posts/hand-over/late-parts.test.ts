import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { cancelHeldPost, editHeldPost } from '../../../src/held-posts/change.ts';
import { scheduleAgain } from '../../../src/held-posts/decisions.ts';
import { takeBack, takeOutcome } from '../../../src/held-posts/hand-over/outcome.ts';
import { approveHeldPost } from '../../../src/held-posts/review/decide.ts';
import { readShownPost } from '../../../src/held-posts/show.ts';
import { describePost } from '../../../src/posts/describe-post.ts';
import { applyDecision } from '../../../src/submissions/press.ts';
import { data, json } from '../../support/scripted-service.ts';
import { MINUTE_MS, REVIEWED } from '../../support/start-held-posts.ts';
import { getPlatforms, ITEM_OF_X, press, STORY, startTestParts, write } from '../../support/test-parts.ts';

/** Parts of a post whose outcome comes late, or never: unknown ones, and those that wait for the service. */

const { fixture, hold, handOver, listSent, readDescription, readOne, refuse, loseX, listX, giveUpOnX } =
  await startTestParts();
beforeEach(() => fixture.reset());
afterAll(() => fixture.close());

describe('if it is unknown whether the service has one part', () => {
  const destroyFor = (platform: string) =>
    fixture.service.on('POST /posts', (call, response) =>
      getPlatforms(call).includes(platform)
        ? void response.destroy()
        : data({ Id: 'post_1' })(call, response),
    );

  test('the post waits for it, and it isn’t sent again', async () => {
    destroyFor('X');
    await handOver();
    expect(await fixture.listStates()).toEqual(['handed-over']);
    listX();
    for (const minutes of [59, 58, 57, 56]) await fixture.runAt(minutes);
    expect([listSent(), await fixture.listStates()]).toEqual([
      ['LINKEDIN,THREADS: A long story', 'X: Short'],
      ['delivered'],
    ]);
  });

  test('the platforms that have theirs stay known after its content is deleted', async () => {
    destroyFor('X');
    const { id } = await handOver();
    const row = await readOne();
    expect([row.state, row.sent_to]).toEqual(['handed-over', 'LINKEDIN,THREADS']);
    const parts = fixture.db.updateTable('submission');
    await parts.set({ content: null }).where('state', '=', 'confirmed').execute();
    await parts.set({ state: 'refused' }).where('state', '!=', 'confirmed').execute();
    await fixture.runAt(57);
    expect([(await readOne()).state, (await readOne()).sent_to]).toEqual([
      'needs-person',
      'LINKEDIN,THREADS',
    ]);
    fixture.service.on('POST /posts', data({ Id: 'post_1' }));
    await scheduleAgain(fixture.context, press({ id }));
    await fixture.runAt(56);
    expect([await fixture.listStates(), fixture.errors]).toEqual([['delivered'], []]);
  });

  test('a refused one comes back once nothing more happens by itself', async () => {
    loseX();
    const { id } = await handOver();
    expect(await fixture.listStates()).toEqual(['handed-over']);
    await giveUpOnX();
    await fixture.runAt(58);
    expect([(await readOne()).state, (await readOne()).sent_to]).toEqual(['needs-person', 'X']);
    fixture.service.on('POST /posts', data({ Id: 'post_1' }));
    await scheduleAgain(fixture.context, press({ id }));
    await fixture.runAt(57);
    expect(listSent().filter((text) => text.startsWith('X'))).toEqual(['X: Short']);
  });
});

test('a card that was read before a part came back shows the post as it is now', async () => {
  loseX();
  await handOver();
  const read = await readOne();
  listX();
  for (const minutes of [59, 58, 57, 56]) await fixture.runAt(minutes);
  expect([read.state, (await readOne()).state]).toEqual(['handed-over', 'needs-person']);
  const shown = await readShownPost(fixture.context, read);
  const description = describePost(shown.facts, { viewers: 'everyone', now: fixture.context.clock.now() });
  expect(description.sentence).toBe(
    'Scheduled on 1 of 3 platforms: X. LinkedIn and Threads: Not sent. One field needs a change.',
  );
});

describe('a part that is unknown after another has come back', () => {
  const author = { workspace: 'T1', user: 'U1', managesProject: () => false };

  /** X is unknown, and the others were refused. */
  async function comeBack(options: Parameters<typeof hold>[1] = {}, beforeHandOver?: () => Promise<void>) {
    loseX();
    const { id } = await hold(STORY, options);
    await beforeHandOver?.();
    await fixture.runAt(60);
    await giveUpOnX();
    await fixture.runAt(58);
    const part = await fixture.db
      .selectFrom('submission')
      .select('id')
      .where('state', '=', 'needs-person')
      .executeTakeFirstOrThrow();
    return { id, part: part.id };
  }
  const decide = (part: string, decision: 'discard' | 'send-again') =>
    applyDecision(fixture.submissions.context, author, part, decision);
  const readSubmission = (id: string) =>
    fixture.db.selectFrom('submission').selectAll().where('id', '=', id).executeTakeFirstOrThrow();

  test('and is discarded can be sent again with the others', async () => {
    const { id, part } = await comeBack();
    await decide(part, 'discard');
    const row = await readOne();
    expect([row.state, row.reason, row.sent_to, row.maybe_sent]).toEqual([
      'needs-person',
      'refused',
      '',
      true,
    ]);
    expect((await readDescription()).sentence).toBe('Not sent. One field needs a change.');
    fixture.recover();
    await scheduleAgain(fixture.context, press({ id }));
    await fixture.runAt(57);
    expect(listSent()).toEqual(['LINKEDIN,THREADS: A long story', 'X: Short']);
  });

  test('and is discarded after the others were sent again isn’t said to be scheduled', async () => {
    const { id, part } = await comeBack();
    fixture.service.on('POST /posts', data({ Id: 'post_1' }));
    await scheduleAgain(fixture.context, press({ id }));
    await fixture.runAt(57);
    await decide(part, 'discard');
    const row = await readOne();
    expect([row.state, row.sent_to?.split(',').toSorted()]).toEqual(['delivered', ['LINKEDIN', 'THREADS']]);
    expect((await readDescription()).sentence).toBe(
      'Scheduled on 2 of 3 platforms: LinkedIn and Threads. Not on X.',
    );
  });

  test.each(['needs-person', 'cancelled'])('and is refused comes back to its post: %s', async (state) => {
    const { id, part } = await comeBack();
    if (state === 'cancelled') await cancelHeldPost(fixture.context, press({ id }));
    const refused = { state: 'refused' } as const;
    await fixture.db.updateTable('submission').set(refused).where('id', '=', part).execute();
    // The submission’s notification asks for this first.
    expect(await takeOutcome(fixture.context, await readSubmission(part))).toBe(true);
    const row = await readOne();
    expect([row.state, row.sent_to]).toEqual([state, '']);
    expect(await readSubmission(part)).toMatchObject({ state: 'discarded', reason: 'returned' });
  });

  test('is sent again without a second review, if its text was approved', async () => {
    const approve = async () => {
      const { id, content_hash: hash } = await readOne();
      await approveHeldPost(fixture.context, { ...press({ id }, 1, 'U2'), hash: hash.slice(0, 12) });
    };
    await fixture.setPolicy(REVIEWED);
    const { part } = await comeBack({ policy: REVIEWED }, approve);
    fixture.service.on('POST /posts', data({ Id: 'post_1' }));
    await decide(part, 'send-again');
    await fixture.runAt(57);
    expect((await readSubmission(part)).state).toBe('confirmed');
    expect((await readOne()).sent_to).toBe('X');
  });

  test('comes back to its post if that has changed and waits for a review', async () => {
    const { id, part } = await comeBack();
    await fixture.setPolicy(REVIEWED);
    await editHeldPost(fixture.context, press({ id }), write('Another story', { X: 'Short' }));
    await decide(part, 'send-again');
    await fixture.runAt(57);
    // There is no second post.
    const row = await readOne();
    expect([row.state, row.sent_to]).toEqual(['awaiting-review', '']);
    expect(await readSubmission(part)).toMatchObject({ state: 'discarded', reason: 'returned' });
  });
});

test('the author can give up a part, and the post is done with the others', async () => {
  fixture.service.on('POST /posts', (call, response) =>
    (getPlatforms(call).includes('X') ? json(429, {}) : data({ Id: 'post_1' }))(call, response),
  );
  await handOver();
  expect(await fixture.listStates()).toEqual(['handed-over']);
  const waiting = await fixture.db
    .selectFrom('submission')
    .select('id')
    .where('state', '=', 'retryable')
    .executeTakeFirstOrThrow();
  const author = { workspace: 'T1', user: 'U1', managesProject: () => false };
  await applyDecision(fixture.submissions.context, author, waiting.id, 'discard');
  const row = await readOne();
  expect([row.state, row.sent_to]).toEqual(['delivered', 'LINKEDIN,THREADS']);
  expect(await readDescription()).toMatchObject({
    name: 'Partly scheduled',
    sentence: 'Scheduled on 2 of 3 platforms: LinkedIn and Threads. Not on X.',
  });
});

describe('a refused part whose sibling waits for the service', () => {
  const findRefused = () =>
    fixture.db.selectFrom('submission').selectAll().where('state', '=', 'refused').executeTakeFirstOrThrow();
  beforeEach(async () => {
    fixture.service.on('POST /posts', json(429, {}));
    await handOver();
    const refuseX = fixture.db.updateTable('submission').set({ state: 'refused', next_at: null });
    await refuseX.where('item', '=', ITEM_OF_X).execute();
  });

  test('is told by itself, unless the sibling is sent soon', async () => {
    expect(await takeOutcome(fixture.context, await findRefused())).toEqual({ waitMs: 3 * MINUTE_MS });
    fixture.setMinutesBefore(57);
    expect(await takeOutcome(fixture.context, await findRefused())).toBe(false);
    expect(await fixture.listStates()).toEqual(['handed-over']);
  });

  test('can be edited, together with the sibling', async () => {
    const refused = await findRefused();
    expect((await takeBack(fixture.context, refused)).kind).toBe('held');
    const row = await readOne();
    expect([row.state, row.reason, row.sent_to]).toEqual(['needs-person', 'taken-back', '']);
  });

  test('is told with its post if the sibling is sent', async () => {
    const refused = await findRefused();
    const waiting = fixture.db.updateTable('submission').set({ state: 'confirmed', next_at: null });
    await waiting.where('state', '=', 'retryable').execute();
    expect(await takeOutcome(fixture.context, refused)).toBe(true);
    expect(await fixture.listStates()).toEqual(['needs-person: refused']);
  });
});

describe('a part that waits for the service', () => {
  const takeBackFirst = async () => {
    const [submission] = await fixture.db.selectFrom('submission').selectAll().orderBy('item').execute();
    if (!submission) throw new Error('nothing was handed over');
    return takeBack(fixture.context, submission);
  };

  test('is taken back for an edit with the others that wait, and none is sent meanwhile', async () => {
    fixture.service.on('POST /posts', json(429, {}));
    const { id } = await handOver();
    expect(await takeBackFirst()).toEqual({ kind: 'held', id });
    expect(await fixture.listStates()).toEqual(['needs-person: taken-back']);
    refuse('nobody');
    fixture.service.calls.length = 0;
    await fixture.runAt(58);
    expect(listSent()).toEqual([]);
    await editHeldPost(fixture.context, press({ id }), write('Edited', { X: 'Short' }));
    await fixture.runAt(57);
    expect(listSent()).toEqual(['LINKEDIN,THREADS: Edited', 'X: Short']);
  });

  test('isn’t taken back while another is being sent', async () => {
    fixture.service.on('POST /posts', json(429, {}));
    await handOver();
    const sending = { state: 'sending' } as const;
    await fixture.db.updateTable('submission').set(sending).where('item', '=', ITEM_OF_X).execute();
    expect(await takeBackFirst()).toEqual({ kind: 'not-now' });
    expect(await fixture.listStates()).toEqual(['handed-over']);
  });
});
