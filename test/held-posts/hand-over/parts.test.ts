import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { cancelHeldPost, editHeldPost } from '../../../src/held-posts/change.ts';
import { moveHeldPost, restoreCancelledPost, scheduleAgain } from '../../../src/held-posts/decisions.ts';
import { takeBack, takeOutcome } from '../../../src/held-posts/hand-over/outcome.ts';
import { HELD_POSTS } from '../../../src/held-posts/held-post.ts';
import { listHeldPlan } from '../../../src/held-posts/listed-posts.ts';
import { approveHeldPost } from '../../../src/held-posts/review/decide.ts';
import { readShownPost } from '../../../src/held-posts/show.ts';
import { describePost } from '../../../src/posts/describe-post.ts';
import { makeFirstAttempt } from '../../../src/submissions/attempt.ts';
import { applyDecision } from '../../../src/submissions/press.ts';
import { createPostAt } from '../../support/post-submissions.ts';
import { data, invalid, json } from '../../support/scripted-service.ts';
import { MINUTE_MS, REVIEWED } from '../../support/start-held-posts.ts';
import { getPlatforms, ITEM_OF_X, press, STORY, startTestParts, write } from '../../support/test-parts.ts';

/** A post with texts of its own for some platforms is one held post, and one post of the service for each text. */

const { fixture, giveUpOnX, handOver, hold, listSent, listX, loseX, readDescription, readOne, refuse } =
  await startTestParts();
beforeEach(() => fixture.reset());
afterAll(() => fixture.close());

describe('a post with another text for a platform', () => {
  test.each([
    ['becomes one post of the service for each text', STORY, ['LINKEDIN,THREADS: A long story', 'X: Short']],
    [
      'becomes one post for platforms with the same text',
      write('A long story', { X: 'Short', THREADS: ' Short\r\n' }),
      ['LINKEDIN: A long story', 'X,THREADS: Short'],
    ],
    [
      'is one post if all platforms have the same text of their own',
      write('Main', { X: 'Own', LINKEDIN: 'Own' }, ['X', 'LINKEDIN']),
      ['X,LINKEDIN: Own'],
    ],
  ])('%s', async (_name, content, sent) => {
    await hold(content);
    await fixture.runAt(60);
    expect([listSent(), await fixture.listStates()]).toEqual([sent, ['delivered']]);
  });

  test('is another post than one with the same main text', async () => {
    const one = await hold(STORY);
    const other = await hold(write('A long story', { X: 'Shorter' }));
    expect(one.content_hash).not.toBe(other.content_hash);
    expect(await fixture.listStates()).toEqual(['held', 'held']);
  });
});

describe('a change applies to all texts', () => {
  test('a cancellation, its undo, and a move', async () => {
    const row = await hold(STORY);
    const instant = new Date(fixture.publishAt.getTime() + 120 * MINUTE_MS);
    await cancelHeldPost(fixture.context, press(row));
    await fixture.runAt(60);
    expect(listSent()).toEqual([]);
    await restoreCancelledPost(fixture.context, press(row));
    await moveHeldPost(fixture.context, press(row), { instant, isScheduled: false });
    await fixture.runAt(59);
    expect(listSent()).toEqual([]);
    await fixture.runAt(-60);
    expect(listSent()).toEqual(['LINKEDIN,THREADS: A long story', 'X: Short']);
    const times = fixture.service.created().map(({ ScheduleDate }) => +new Date(String(ScheduleDate)));
    expect(times).toEqual([instant.getTime(), instant.getTime()]);
  });

  test('an edit, also one that gives up the other text', async () => {
    const row = await hold(STORY);
    await editHeldPost(fixture.context, press(row), write('A long story', { X: 'Shorter' }));
    await editHeldPost(fixture.context, press(row, 2), createPostAt('One for all', 0));
    await fixture.runAt(60);
    expect(listSent()).toEqual(['X: One for all']);
  });

  test('an approval, which another text for one platform voids', async () => {
    await fixture.setPolicy(REVIEWED);
    const row = await hold(STORY, { policy: REVIEWED });
    const approve = (version: number, hash: string) =>
      approveHeldPost(fixture.context, { ...press(row, version, 'U2'), hash: hash.slice(0, 12) });
    await approve(1, row.content_hash);
    expect(await fixture.listStates()).toEqual(['held']);
    await editHeldPost(fixture.context, press(row), write('A long story', { X: 'Shorter' }));
    expect(await fixture.listStates()).toEqual(['awaiting-review']);
    await approve(2, (await readOne()).content_hash);
    await fixture.runAt(60);
    expect(listSent()).toEqual(['LINKEDIN,THREADS: A long story', 'X: Shorter']);
  });
});

describe('if the service refuses one part', () => {
  test('the main part can be the one, and is sent alone too', async () => {
    refuse('THREADS');
    const { id } = await handOver();
    expect((await readOne()).sent_to).toBe('X');
    refuse('nobody');
    await scheduleAgain(fixture.context, press({ id }));
    await fixture.runAt(59);
    expect(listSent()).toEqual([
      'LINKEDIN,THREADS: A long story',
      'LINKEDIN,THREADS: A long story',
      'X: Short',
    ]);
  });

  test('and all others too, an edit can make it one text again', async () => {
    fixture.service.on('POST /posts', invalid({ loc: ['body', 'Content'], msg: 'too dull' }));
    const { id } = await handOver();
    expect((await readOne()).sent_to).toBe('');
    refuse('nobody');
    await editHeldPost(fixture.context, press({ id }), write('One for all', {}));
    await fixture.runAt(59);
    expect(listSent()).toEqual([
      'LINKEDIN,THREADS: A long story',
      'X,LINKEDIN,THREADS: One for all',
      'X: Short',
    ]);
    expect(await fixture.listStates()).toEqual(['delivered']);
  });

  test('and then another one, nothing that the service has is sent again', async () => {
    refuse('X');
    const content = write('A long story', { X: 'Short', THREADS: 'Middle' });
    const { id } = await hold(content);
    await fixture.runAt(60);
    await scheduleAgain(fixture.context, press({ id }));
    await fixture.runAt(59);
    expect(await fixture.listStates()).toEqual(['needs-person: refused']);
    await cancelHeldPost(fixture.context, press({ id }));
    await restoreCancelledPost(fixture.context, press({ id }));
    refuse('nobody');
    await fixture.runAt(58);
    expect(listSent().filter((text) => !text.startsWith('X'))).toEqual([
      'LINKEDIN: A long story',
      'THREADS: Middle',
    ]);
    expect(await fixture.listStates()).toEqual(['delivered']);
  });
});

describe('the card says of each part what is known', () => {
  test('when the others go out, if the rest was moved', async () => {
    refuse('X');
    const { id } = await handOver();
    refuse('nobody');
    const instant = new Date(fixture.publishAt.getTime() + 90 * MINUTE_MS);
    await moveHeldPost(fixture.context, press({ id }), { instant, isScheduled: true });
    const earlier = `LinkedIn and Threads: <!date^${fixture.publishAt.getTime() / 1000}^`;
    expect((await readDescription()).sentence).toContain(earlier);
    await fixture.runAt(-30);
    const { name, sentence } = await readDescription();
    expect([name, await fixture.listStates()]).toEqual(['Scheduled', ['delivered']]);
    expect(sentence).toContain(earlier);
  });

  test.each([
    [
      'another text for one',
      write('A long story', { X: 'Short', LINKEDIN: 'New' }),
      'A long story',
      { X: 'Short' },
    ],
    ['another main text', write('New', { X: 'Short' }), 'A long story', { X: 'Short' }],
    ['one text for all', write('New', {}), 'New', { 'LINKEDIN,THREADS': 'A long story' }],
    ['another text for the rest', write('A long story', { X: 'New' }), 'A long story', { X: 'New' }],
    ['fewer platforms', write('New', {}, ['X']), 'New', { 'LINKEDIN,THREADS': 'A long story' }],
  ])('what was sent, after an edit to %s', async (_name, content, text, ownTexts) => {
    refuse('X');
    const { id } = await handOver();
    await editHeldPost(fixture.context, press({ id }), content);
    const row = await readOne();
    const { posts } = await listHeldPlan(fixture.context, { workspace: 'T1', projects: [row.project] });
    for (const post of [(await readShownPost(fixture.context, row)).post, posts[0]?.post]) {
      const shown = (post?.ownTexts ?? []).map(({ platforms, ...own }) => [platforms.join(), own.text]);
      expect([post?.content, Object.fromEntries(shown)]).toEqual([text, ownTexts]);
      expect(post?.platforms).toHaveLength(3);
    }
  });

  test('that a part was sent with the picture of before an edit', async () => {
    refuse('X');
    const { id } = await handOver();
    const values = { ...STORY.values, media: 'https://pictures.example/new.png' };
    await editHeldPost(fixture.context, press({ id }), { ...STORY, values });
    expect((await readDescription()).sentence).toContain('LinkedIn and Threads: with the earlier media.');
  });

  test('different reasons of several parts', async () => {
    fixture.service.on('POST /posts', (call, response) => {
      const [platform] = getPlatforms(call);
      const problems = [{ loc: ['body', 'Content'], msg: 'too dull' }];
      if (platform === 'LINKEDIN') return data({ Id: 'post_1' })(call, response);
      return (platform === 'X' ? invalid(...problems) : json(413, {}))(call, response);
    });
    await hold(write('A long story', { X: 'Short', THREADS: 'Middle' }));
    await fixture.runAt(60);
    const { sentence } = await readDescription();
    expect(sentence).toContain(
      'Scheduled on 1 of 3 platforms: LinkedIn. X and Threads: Not sent. X: One field',
    );
    expect(sentence).toContain('Threads: ');
  });

  test('that one is unknown, after another has come back', async () => {
    loseX();
    await handOver();
    expect((await readDescription()).sentence).toMatch(/^LinkedIn and Threads: Not sent/u);
    await giveUpOnX();
    await fixture.runAt(58);
    expect((await readDescription()).sentence).toBe(
      'I don’t know whether X got it. LinkedIn and Threads: Not sent. One field needs a change.',
    );
  });
});

describe('a crash', () => {
  const killed = () =>
    fixture.createInstance({
      onCrashPoint: (point) => {
        if (point === 'after-hand-over') throw new Error('killed');
      },
    });

  test('after the commit loses no part and sends none twice', async () => {
    await hold(STORY);
    await fixture.runAt(60, killed());
    await fixture.runAt(55);
    await fixture.runAt(50);
    expect([listSent(), await fixture.listStates()]).toEqual([
      ['LINKEDIN,THREADS: A long story', 'X: Short'],
      ['delivered'],
    ]);
  });

  test.each([0, 1])('between the parts loses none and sends none twice (%i first)', async (first) => {
    await hold(STORY);
    fixture.setMinutesBefore(60);
    await killed().runOnce();
    const rows = await fixture.db.selectFrom('submission').selectAll().orderBy('item').execute();
    const row = rows[first];
    if (!row || rows.length !== 2) throw new Error('there are not two parts');
    await makeFirstAttempt(fixture.submissions.context, row, { probe: 'when-due' });
    expect(listSent()).toHaveLength(1);
    for (const minutes of [58, 55, 50]) await fixture.runAt(minutes);
    expect([listSent(), await fixture.listStates()]).toEqual([
      ['LINKEDIN,THREADS: A long story', 'X: Short'],
      ['delivered'],
    ]);
  });

  test('before the commit leaves a post that is still held', async () => {
    await hold(STORY);
    const instance = fixture.createInstance({
      onCrashPoint: (point) => {
        if (point === 'before-hand-over') throw new Error('killed');
      },
    });
    await fixture.runAt(60, instance);
    expect([listSent(), await fixture.listStates()]).toEqual([[], ['held']]);
    await fixture.runAt(55);
    expect(listSent()).toEqual(['LINKEDIN,THREADS: A long story', 'X: Short']);
  });

  test('after which a backup was restored asks about the post, and compares each part', async () => {
    await hold(STORY);
    await HELD_POSTS.restore(fixture.db, fixture.context.clock.readShared());
    expect(await fixture.listStates()).toEqual(['needs-person: restored']);
    await scheduleAgain(fixture.context, press(await readOne()));
    await fixture.runAt(60);
    const parts = await fixture.db.selectFrom('submission').select('maybe_sent').execute();
    expect(parts.map(({ maybe_sent: maybeSent }) => maybeSent)).toEqual([true, true]);
  });
});

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
      .where('state', '=', 'unsure')
      .executeTakeFirstOrThrow();
    return { id, part: part.id };
  }
  const decide = (part: string, decision: 'discard' | 'send-again') =>
    applyDecision(fixture.submissions.context, author, part, decision);
  const readSubmission = (id: string) =>
    fixture.db.selectFrom('submission').selectAll().where('id', '=', id).executeTakeFirstOrThrow();

  test('and is discarded stays unknown, and only the others are sent again', async () => {
    const { id, part } = await comeBack();
    await decide(part, 'discard');
    const row = await readOne();
    expect([row.state, row.reason, row.sent_to]).toEqual(['needs-person', 'refused', 'X']);
    expect((await readDescription()).sentence).toBe(
      'I don’t know whether X got it. LinkedIn and Threads: Not sent. One field needs a change.',
    );
    fixture.recover();
    await scheduleAgain(fixture.context, press({ id }));
    await fixture.runAt(57);
    expect(listSent()).toEqual(['LINKEDIN,THREADS: A long story']);
  });

  test('and that certainly wasn’t sent is discarded, so that it can be sent again with the others', async () => {
    const { id, part } = await comeBack();
    await fixture.db.updateTable('submission').set({ maybe_sent: false }).where('id', '=', part).execute();
    await decide(part, 'discard');
    expect((await readOne()).sent_to).toBe('');
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
    expect([row.state, row.sent_to?.split(',').toSorted()]).toEqual([
      'delivered',
      ['LINKEDIN', 'THREADS', 'X'],
    ]);
    expect((await readDescription()).sentence).toBe(
      'Scheduled on 2 of 3 platforms: LinkedIn and Threads. I don’t know whether X got it.',
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
