import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { cancelHeldPost, editHeldPost } from '../../../src/held-posts/change.ts';
import { moveHeldPost, restoreCancelledPost, scheduleAgain } from '../../../src/held-posts/decisions.ts';
import { HELD_POSTS } from '../../../src/held-posts/held-post.ts';
import { approveHeldPost } from '../../../src/held-posts/review/decide.ts';
import { makeFirstAttempt } from '../../../src/submissions/attempt.ts';
import { createPostAt } from '../../support/post-submissions.ts';
import { data, invalid, json } from '../../support/scripted-service.ts';
import { MINUTE_MS, REVIEWED } from '../../support/start-held-posts.ts';
import { getPlatforms, press, STORY, startTestParts, write } from '../../support/test-parts.ts';

/** A post with texts of its own for some platforms is one held post, and one post of the service for each text. */

const { fixture, hold, handOver, listSent, readDescription, readOne, refuse, loseX, giveUpOnX } =
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
      'is one post if its own text is the main text',
      write('Hello', { X: 'Hello ' }),
      ['X,LINKEDIN,THREADS: Hello'],
    ],
    [
      'is one post if all platforms have the same text of their own',
      write('Main', { X: 'Own', LINKEDIN: 'Own' }, ['X', 'LINKEDIN']),
      ['X,LINKEDIN: Own'],
    ],
    [
      'ignores the text of a platform that isn’t chosen',
      write('Hello', { REDDIT: 'Other' }),
      ['X,LINKEDIN,THREADS: Hello'],
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
  test('the others are sent, and the post says which platforms have it', async () => {
    refuse('X');
    await handOver();
    const row = await readOne();
    expect([row.state, row.reason, row.sent_to]).toEqual(['needs-person', 'refused', 'LINKEDIN,THREADS']);
    expect(await readDescription()).toMatchObject({
      name: 'Partly scheduled',
      sentence: 'Scheduled on 2 of 3 platforms: LinkedIn and Threads. X: Not sent. One field needs a change.',
    });
  });

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
    await makeFirstAttempt(fixture.submissions.context, row, { probe: 'when-due', notifyAfterMs: 0 });
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
