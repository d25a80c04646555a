import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { CAPABILITIES } from '../../../src/app/capabilities.ts';
import { resumeSending, stopSending } from '../../../src/engine/sending-stop.ts';
import { moveHeldPost } from '../../../src/held-posts/decisions.ts';
import type { CrashPoint } from '../../../src/held-posts/pace.ts';
import {
  createSeries,
  findSeries,
  makeSeriesDue,
  resumeSeries,
} from '../../../src/held-posts/series/change-series.ts';
import { computeDateKey } from '../../../src/held-posts/series/rule.ts';
import { DEFAULT_POLICY } from '../../../src/preferences/project-policy.ts';
import { createPostAt } from '../../support/post-submissions.ts';
import { POLICY, press } from '../../support/start-held-posts.ts';
import { START, startTestSeries, ZONE } from '../../support/test-series.ts';

/** A series makes its posts of the next 35 days, each exactly once, and leaves alone what people have changed. */

const { fixture, reset, setTime, runAt, buildContent, create, start, edit, listPosts, listHeld, listThree } =
  await startTestSeries();
beforeEach(reset);
afterAll(() => fixture.close());

const findState = async (id: string) => (await findSeries(fixture.db, { id, workspace: 'T1' }))?.state;

describe('the posts of a series', () => {
  test('are made 35 days ahead, and go out like any other', async () => {
    await start('every weekday at 9');
    const posts = await listPosts();
    expect([posts.length, posts[0]?.wall, posts.at(-1)?.wall]).toEqual([
      25,
      '2027-02-23T09:00',
      '2027-03-29T09:00',
    ]);
    expect(
      new Set(posts.map(({ row: { state, series, author } }) => `${state} ${series !== null} ${author}`)),
    ).toEqual(new Set(['held true U1']));
    await runAt('2027-02-23T07:00Z');
    expect(fixture.listSentTexts()).toEqual(['Hello']);
  });

  test('keep their time on the clock across changes in three zones, and none is made twice', async () => {
    for (const [zone, times] of [
      ['Europe/Berlin', ['2027-03-20T12:00Z', '2027-10-20T12:00Z']],
      ['America/New_York', ['2027-03-05T12:00Z', '2027-11-01T12:00Z']],
      ['Australia/Sydney', ['2027-03-25T12:00Z', '2027-09-25T12:00Z']],
    ] as const) {
      await fixture.reset();
      setTime(times[0]);
      await create('every day at 09:00', { zone });
      for (const time of times) {
        await runAt(time);
        await runAt(time);
      }
      const walls = (await listPosts(zone)).map(({ wall }) => wall);
      expect([walls.length, new Set(walls).size]).toEqual([70, 70]);
      expect(new Set(walls.map((wall) => wall.slice(11)))).toEqual(new Set(['09:00']));
    }
  });

  test('are made for the dates that come near, also after days without an instance', async () => {
    await start('the 31st of every month at 09:00');
    expect((await listPosts()).map(({ wall }) => wall)).toEqual([]);
    await runAt('2027-02-24T12:00Z');
    expect((await listPosts()).map(({ wall }) => wall)).toEqual(['2027-03-31T09:00']);
    await runAt('2027-05-20T12:00Z');
    expect((await listPosts()).map(({ wall }) => wall)).toEqual(['2027-03-31T09:00', '2027-05-31T09:00']);
  });

  test('are stored once if the form is sent twice', async () => {
    const received = { workspace: 'T1', author: 'U1', project: 'p1', origin: 'form', channel: undefined };
    const content = buildContent('every weekday at 9');
    const first = await createSeries(fixture.context, { ...received, content });
    const second = await createSeries(fixture.context, { ...received, content });
    expect([first.isNew, second.isNew, second.row.id]).toEqual([true, false, first.row.id]);
  });

  test('end with the rule', async () => {
    const series = await start('every day at 09:00, 3 times');
    expect(await listPosts()).toHaveLength(3);
    await runAt('2027-02-26T12:00Z');
    await runAt('2027-02-27T12:00Z');
    expect(await findState(series.id)).toBe('ended');
  });
});

describe('exactly once', () => {
  const POINTS = [
    'before-occurrences',
    'within-occurrences',
    'after-occurrences',
  ] as const satisfies CrashPoint[];
  test.each(POINTS)('an instance that dies %s leaves nothing doubled or missing', async (point) => {
    const series = await create('every weekday at 9');
    class Killed extends Error {}
    let crossed = 0;
    const dying = fixture.createInstance({
      leaseMs: 1,
      onCrashPoint(reached) {
        if (reached !== point) return;
        crossed += 1;
        if (crossed === (point === 'within-occurrences' ? 7 : 1)) throw new Killed();
      },
    });
    setTime(START);
    await dying.runOnce();
    expect(crossed).toBeGreaterThan(0);
    const left = (await listPosts()).length;
    expect(left).toBe(point === 'after-occurrences' ? 25 : 0);
    // The lease of the dead instance has ended by then.
    await runAt('2027-02-22T12:05Z');
    const keys = (await fixture.listRows()).map(({ item }) => item);
    expect([keys.length, new Set(keys).size, await findState(series.id)]).toEqual([25, 25, 'running']);
  });

  test('an instance that wakes up after another has taken over makes nothing', async () => {
    await create('every weekday at 9');
    const other = fixture.createInstance();
    let isFrozen = true;
    const frozen = fixture.createInstance({
      leaseMs: 1,
      async onCrashPoint(point) {
        if (point !== 'before-occurrences' || !isFrozen) return;
        isFrozen = false;
        await runAt('2027-02-22T12:05Z', other);
      },
    });
    setTime(START);
    await frozen.runOnce();
    const events = await fixture.db.selectFrom('held_post_event').select('kind').execute();
    expect([(await listPosts()).length, events.length]).toEqual([25, 25]);
  });

  test('two instances that make posts at once make each once', async () => {
    for (const text of ['every weekday at 9', 'every day at 17:00', 'every monday at 8']) await create(text);
    setTime(START);
    await Promise.all([
      fixture.createInstance().runOnce(),
      fixture.createInstance().runOnce(),
      fixture.heldPosts.runOnce(),
    ]);
    await fixture.heldPosts.runOnce();
    expect(await listPosts()).toHaveLength(25 + 35 + 5);
  });
});

test('while its project is stopped, posts are made and none goes out, and they do after it', async () => {
  await start('every day at 09:00');
  const stop = { workspace: 'T1', project: 'p1' };
  await stopSending(fixture.db, { reason: '', since: new Date(START), stoppedBy: 'U9' }, stop);
  await runAt('2027-02-23T07:10Z');
  expect([fixture.listSentTexts(), (await listPosts()).length]).toEqual([[], 36]);
  await resumeSending(fixture.db, CAPABILITIES, fixture.context.clock.readShared(), stop);
  await runAt('2027-02-23T07:20Z');
  expect(fixture.listSentTexts()).toEqual(['Hello']);
});

describe('a series pauses', () => {
  test('if its author may no longer schedule posts, and whoever takes it over is the author of its posts', async () => {
    const series = await start('every monday at 9');
    fixture.permissions.set('U1', 'no');
    await fixture.heldPosts.recheckAuthority('T1');
    await runAt('2027-02-22T12:02Z');
    expect([await findState(series.id), new Set(await fixture.listStates())]).toEqual([
      'paused',
      new Set(['cancelled: series']),
    ]);
    await resumeSeries(fixture.context, press(series, 'U2'));
    await runAt('2027-02-22T12:03Z');
    const authors = (await fixture.listRows()).map(({ author, state }) => `${author} ${state}`);
    expect(authors).toEqual(Array.from({ length: 5 }, () => 'U2 held'));
  });

  test('but not if that couldn’t be found out', async () => {
    const series = await create('every monday at 9');
    fixture.permissions.set('U1', 'unknown');
    await runAt(START);
    expect([await findState(series.id), await listPosts()]).toEqual(['running', []]);
  });

  test('if its project no longer keeps posts', async () => {
    const series = await create('every monday at 9');
    await fixture.setPolicy(DEFAULT_POLICY);
    await runAt(START);
    expect([await findState(series.id), await listPosts()]).toEqual(['paused', []]);
  });

  test('after a backup was restored', async () => {
    const series = await start('every monday at 9');
    for (const { restore } of CAPABILITIES) await restore(fixture.db, fixture.context.clock.readShared());
    const restored = await findSeries(fixture.db, { id: series.id, workspace: 'T1' });
    expect(restored).toMatchObject({ state: 'paused', reason: 'restored' });
  });
});

describe('texts in turn', () => {
  test('none goes out again within the gap, and its people are told before texts run out', async () => {
    const series = await start('every day at 09:00', { texts: ['A', 'B', 'C'], gapDays: 10 });
    expect((await listPosts()).map(({ text, wall }) => `${wall.slice(5, 10)} ${text}`)).toEqual([
      ...['02-23 A', '02-24 B', '02-25 C', '03-05 A', '03-06 B', '03-07 C', '03-15 A', '03-16 B', '03-17 C'],
      ...['03-25 A', '03-26 B', '03-27 C'],
    ]);
    expect(await findSeries(fixture.db, { id: series.id, workspace: 'T1' })).toMatchObject({
      reason: 'no-text',
      missing_at: new Date('2027-02-26T08:00Z'),
    });
    const texts = ['A', 'B', 'C', 'D', 'E', 'F', 'G', 'H', 'I', 'J'];
    await edit(press(series), 'every day at 09:00', { texts, gapDays: 10 });
    await runAt('2027-02-22T12:01Z');
    expect([
      (await listPosts()).length,
      (await findSeries(fixture.db, { id: series.id, workspace: 'T1' }))?.reason,
    ]).toEqual([35, null]);
  });

  test('another post of the project with the same text counts too', async () => {
    await fixture.hold(['A'], {
      contents: [{ ...createPostAt('A', 0), moment: { instant: '2027-02-23T10:00:00Z', zone: ZONE } }],
    });
    await start('every monday at 9', { texts: ['A', 'B'], gapDays: 10 });
    const posts = (await listPosts()).filter(({ row }) => row.series !== null);
    expect(posts.map(({ text }) => text)).toEqual(['B', 'A', 'B', 'A', 'B']);
  });
});

test('the key of a date is what the clock shows', () => {
  const key = computeDateKey(new Date('2027-02-23T08:00Z'), ZONE);
  expect(new Date(key * 60_000).toISOString()).toBe('2027-02-23T09:00:00.000Z');
});

describe('blackout days', () => {
  const key = { workspace: 'T1', project: 'p1' };
  async function setBlackouts(blackouts: { from: string; to: string; name: string }[]) {
    await fixture.setPolicy({ ...POLICY, blackouts });
    await fixture.db
      .transaction()
      .execute((transaction) =>
        makeSeriesDue({ ...fixture.context, db: transaction }, { ...key, isChanged: true }),
      );
  }
  const listDays = async () =>
    (await listPosts()).filter(({ state }) => state !== 'cancelled').map(({ wall }) => wall.slice(5, 10));

  test('have no posts, also if they are added later, and have them again after they are removed', async () => {
    await setBlackouts([{ from: '2027-02-23', to: '2027-02-23', name: 'Carnival' }]);
    await start('every day at 9, until 27 feb');
    expect(await listDays()).toEqual(['02-24', '02-25', '02-26', '02-27']);
    await setBlackouts([{ from: '2027-02-24', to: '2027-02-25', name: 'Move' }]);
    await runAt(START);
    expect(await listDays()).toEqual(['02-23', '02-26', '02-27']);
    await setBlackouts([]);
    await runAt(START);
    expect(await listDays()).toEqual(['02-23', '02-24', '02-25', '02-26', '02-27']);
  });

  test('count, so that the other dates of a rule with a count never change', async () => {
    await setBlackouts([{ from: '2027-02-24', to: '2027-02-25', name: 'Move' }]);
    const row = await start('every day at 9, 5 times');
    const days = ['02-23', '02-26', '02-27'];
    expect(await listDays()).toEqual(days);
    await runAt('2027-02-26T12:00Z');
    expect(await findState(row.id)).toBe('running');
    await setBlackouts([]);
    await runAt('2027-02-26T12:00Z');
    expect(await listDays()).toEqual(days);
  });

  test('keep a post that a person has moved to one of them', async () => {
    await start('every day at 9, until 27 feb');
    const [first] = await listThree();
    const time = { instant: new Date('2027-02-24T15:00Z'), isScheduled: false };
    await moveHeldPost(fixture.context, press(first.row), time);
    await setBlackouts([{ from: '2027-02-24', to: '2027-02-24', name: 'Move' }]);
    await runAt(START);
    expect((await listHeld()).map(({ wall }) => wall)).toEqual([
      '2027-02-24T16:00',
      '2027-02-25T09:00',
      '2027-02-26T09:00',
      '2027-02-27T09:00',
    ]);
  });

  test('at the end of a rule don’t end the series, so that its posts come back without them', async () => {
    await setBlackouts([{ from: '2027-02-23', to: '2027-03-30', name: 'Closed' }]);
    const row = await start('every day at 9, until 25 feb');
    expect([await listDays(), await findState(row.id)]).toEqual([[], 'running']);
    await setBlackouts([]);
    await runAt(START);
    expect(await listDays()).toEqual(['02-23', '02-24', '02-25']);
  });
});
