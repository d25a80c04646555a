import { afterAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { CAPABILITIES } from '../../../src/app/capabilities.ts';
import { resumeSending, stopSending } from '../../../src/engine/sending-stop.ts';
import { cancelHeldPost, editHeldPost } from '../../../src/held-posts/change.ts';
import { moveHeldPost, restoreCancelledPost } from '../../../src/held-posts/decisions.ts';
import type { CrashPoint } from '../../../src/held-posts/pace.ts';
import {
  cancelSeries,
  findSeries,
  makeSeriesDue,
  pauseSeries,
  resumeSeries,
  undoSeriesEdit,
} from '../../../src/held-posts/series/change-series.ts';
import { computeDateKey } from '../../../src/held-posts/series/rule.ts';
import { renderSeriesCard } from '../../../src/held-posts/series/series-card.ts';
import { DEFAULT_POLICY } from '../../../src/preferences/project-policy.ts';
import { createPostAt } from '../../support/post-submissions.ts';
import { POLICY, press } from '../../support/start-held-posts.ts';
import { START, startTestSeries, ZONE } from '../../support/test-series.ts';

/** What people change of a series and its posts stays, and can be undone. */

const {
  create,
  edit,
  fixture,
  listHeld,
  listHeldTimes,
  listPosts,
  listThree,
  read,
  reset,
  runAt,
  setTime,
  start,
} = await startTestSeries();
beforeEach(reset);
afterAll(() => fixture.close());

describe('what people change', () => {
  test('stays: a cancelled, a moved and an edited post', async () => {
    const series = await start('every monday at 9');
    const [first, second, third] = await listThree();
    await cancelHeldPost(fixture.context, press(first.row));
    await moveHeldPost(fixture.context, press(second.row), {
      instant: new Date('2027-03-09T10:00Z'),
      isScheduled: false,
    });
    await editHeldPost(fixture.context, press(third.row), {
      ...createPostAt('Edited', 0),
      moment: { instant: third.row.publish_at?.toISOString() ?? '', zone: ZONE },
    });
    await edit(press(series), 'every monday at 9', { texts: ['New'] });
    await runAt('2027-02-22T12:01Z');
    const posts = await listPosts();
    expect(posts.map(({ wall, text, state }) => `${wall} ${text} ${state}`)).toEqual([
      '2027-03-01T09:00 Hello cancelled',
      '2027-03-09T11:00 Hello held',
      '2027-03-15T09:00 Edited held',
      '2027-03-22T09:00 New held',
      '2027-03-29T09:00 New held',
    ]);
  });

  test('reaches a post also if its first correction lost every race', async () => {
    const series = await start('every monday at 9');
    await edit(press(series), 'every monday at 9', { texts: ['New'] });
    const races = vi.spyOn(fixture.context.verbs, 'byPerson').mockResolvedValue(undefined);
    await runAt('2027-02-22T12:01Z');
    races.mockRestore();
    await runAt('2027-02-22T12:10Z');
    expect(new Set((await listPosts()).map(({ text }) => text))).toEqual(new Set(['New']));
  });

  test('a second change of later posts brings back none that the first has replaced', async () => {
    const series = await start('every monday at 9');
    const change = async (text: string, day: string, time: string) => {
      const from = computeDateKey(new Date(`${day}T00:00Z`), ZONE);
      const row = await findSeries(fixture.db, { id: series.id, workspace: 'T1' });
      await edit({ ...press(row ?? series), from }, text);
      await runAt(time);
    };
    await change('every tuesday at 9', '2027-03-02', '2027-02-22T12:01Z');
    await change('every tuesday at 10:00', '2027-03-16', '2027-02-22T12:02Z');
    const held = ['03-01T09:00', '03-02T09:00', '03-09T09:00', '03-16T10:00', '03-23T10:00'];
    expect(await listHeldTimes()).toEqual(held);
    const row = await findSeries(fixture.db, { id: series.id, workspace: 'T1' });
    await pauseSeries(fixture.context, press(row ?? series));
    expect(await listHeldTimes()).toEqual([]);
    await resumeSeries(fixture.context, press(row ?? series));
    await runAt('2027-02-22T12:03Z');
    expect(await listHeldTimes()).toEqual(held);
    await change('every monday at 9', '2027-03-08', '2027-02-22T12:04Z');
    expect(await listHeldTimes()).toEqual([
      ...['03-01T09:00', '03-02T09:00', '03-08T09:00', '03-15T09:00', '03-22T09:00', '03-29T09:00'],
    ]);
  });

  test.each([
    ['later', '2027-03-16', 'Mon 8 Mar', '03-09T09:00 03-16T09:00'],
    ['earlier', '2027-03-02', 'Tue 2 Mar', '03-02T09:00 03-09T09:00 03-16T09:00'],
  ])('the undo of an edit from a %s date on says from when it applies', async (_, day, from, walls) => {
    const { id } = await start('every monday at 9');
    const change = async (text: string, since: string) => {
      const key = computeDateKey(new Date(`${since}T00:00Z`), ZONE);
      await edit({ ...press(await read(id)), from: key }, text);
      await runAt('2027-02-22T12:01Z');
    };
    await change('every tuesday at 9', '2027-03-08');
    await change('every wednesday at 9', day);
    const reader = { now: fixture.context.clock.now(), locale: 'en-GB' };
    const renderCard = async () =>
      JSON.stringify(await renderSeriesCard(fixture.context, await read(id), reader));
    const rule = `every Tuesday at 09:00 (Berlin), from ${from} on`;
    expect(await renderCard()).toContain(`and this rule: ${rule}"`);
    await undoSeriesEdit(fixture.context, press(await read(id)));
    await runAt('2027-02-22T12:02Z');
    expect(await renderCard()).toContain(`*${rule}*`);
    const held = await listHeldTimes();
    expect(held.slice(0, -1).join(' ')).toBe(`03-01T09:00 ${walls}`);
  });

  test('a change of the time makes no post for a date whose post was cancelled or handed over', async () => {
    const series = await start('every monday at 9');
    const [first, second] = await listThree();
    await cancelHeldPost(fixture.context, press(first.row));
    await fixture.db
      .updateTable('held_post')
      .set({ state: 'handed-over' })
      .where('id', '=', second.row.id)
      .execute();
    await edit(press(series), 'every monday at 11:00');
    await runAt('2027-02-22T12:01Z');
    const posts = (await listPosts()).filter(({ wall }) => wall.endsWith('11:00'));
    expect(posts.map(({ wall, state }) => `${wall.slice(5, 10)} ${state}`)).toEqual([
      ...['03-15 held', '03-22 held', '03-29 held'],
    ]);
  });

  test('a time that is moved after today’s post has gone out makes no second one today', async () => {
    const series = await start('every day at 14:00 and 18:00');
    const [first] = await listThree();
    const day = first.wall.slice(0, 10);
    await fixture.db
      .updateTable('held_post')
      .set({ state: 'delivered' })
      .where('id', '=', first.row.id)
      .execute();
    const listDay = async () =>
      (await listPosts())
        .filter(({ wall, state }) => wall.startsWith(day) && state !== 'cancelled')
        .map(({ wall, state }) => `${wall.slice(-5)} ${state}`);
    await runAt('2027-02-22T13:01Z');
    await edit(press(series), 'every day at 16:00 and 18:00');
    await runAt('2027-02-22T13:02Z');
    expect(await listDay()).toEqual(['14:00 delivered', '18:00 held']);
    // A post of the same rule that has gone out stands for itself only.
    await edit(press({ ...series, version: series.version + 1 }), 'every day at 14:00 and 19:00');
    await runAt('2027-02-22T13:03Z');
    expect(await listDay()).toEqual(['14:00 delivered', '19:00 held']);
  });

  test('a paused series is cancelled as a whole, also from the card of one of its posts', async () => {
    const series = await start('every monday at 9');
    await fixture.db.updateTable('series').set({ state: 'paused', reason: 'not-held' }).execute();
    const from = (await listPosts())[2]?.row.item ?? 0;
    const result = await cancelSeries(fixture.context, { ...press(series), from });
    expect(result).toMatchObject({ row: { state: 'cancelled' }, counts: { cancelled: 5 } });
  });

  test('an earlier time of day from a post on keeps its day, and the day’s other posts', async () => {
    const series = await start('every monday at 9 and 14:00');
    const from = (await listPosts()).find(({ wall }) => wall === '2027-03-08T14:00')?.row.item;
    await edit({ ...press(series), from }, 'every monday at 12:00');
    await runAt('2027-02-22T12:01Z');
    const held = ['03-01T09:00', '03-01T14:00', '03-08T09:00', '03-08T12:00'];
    expect(await listHeldTimes()).toEqual([...held, '03-15T12:00', '03-22T12:00', '03-29T12:00']);
    const last = (await listPosts()).find(({ wall }) => wall === '2027-03-22T12:00')?.row.item;
    const changed = { ...press(series), version: 2 };
    await cancelSeries(fixture.context, { ...changed, from: last });
    await edit(changed, 'every monday at 8');
    await runAt('2027-02-22T12:02Z');
    expect(await listHeldTimes()).toEqual(['03-01T08:00', '03-08T08:00', '03-15T08:00']);
  });

  test('a post that somebody restored after the rule had dropped it stays', async () => {
    const series = await start('every monday at 9');
    const [first, second] = await listThree();
    // A post that a person has cancelled and restored follows the rule as before.
    await cancelHeldPost(fixture.context, press(second.row));
    await restoreCancelledPost(fixture.context, press(second.row));
    await edit(press(series), 'every tuesday at 9');
    await runAt('2027-02-22T12:01Z');
    await restoreCancelledPost(fixture.context, press(first.row));
    await makeSeriesDue(fixture.context, { id: series.id, isChanged: true });
    await runAt('2027-02-22T12:02Z');
    const posts = await listHeld();
    expect(posts.map(({ wall }) => wall.slice(5, 10))).toEqual([
      ...['02-23', '03-01', '03-02', '03-09', '03-16', '03-23'],
    ]);
  });

  test('a blackout day takes out a post from before the last change, until it is none any more', async () => {
    const series = await start('every monday at 9');
    const from = (await listPosts())[2]?.row.item;
    await edit({ ...press(series), from }, 'every tuesday at 9');
    await runAt('2027-02-22T12:01Z');
    const blackout = { from: '2027-03-08', to: '2027-03-09', name: '' };
    const listAfter = async (blackouts: (typeof blackout)[], time: string) => {
      await fixture.setPolicy({ ...POLICY, blackouts });
      await makeSeriesDue(fixture.context, { id: series.id, isChanged: true });
      await runAt(time);
      return (await listHeld()).map(({ wall }) => wall.slice(5, 10));
    };
    expect(await listAfter([blackout], '2027-02-22T12:02Z')).toEqual(['03-01', '03-16', '03-23']);
    expect(await listAfter([], '2027-02-22T12:03Z')).toEqual(['03-01', '03-08', '03-16', '03-23']);
  });

  test('a post whose text was removed stays cancelled after a change of later posts', async () => {
    const series = await start('every monday at 9', { texts: ['One', 'Two', 'Three'] });
    const listHeld = async () =>
      (await listPosts())
        .filter(({ state }) => state === 'held')
        .map(({ wall, text }) => `${wall.slice(5)} ${text}`);
    const texts = { texts: ['One', 'Two'], gapDays: 20 };
    await edit(press(series), 'every monday at 9', texts);
    await runAt('2027-02-22T12:01Z');
    const earlier = ['03-01T09:00 One', '03-08T09:00 Two'];
    expect(await listHeld()).toEqual([...earlier, '03-22T09:00 One', '03-29T09:00 Two']);
    const from = (await listPosts())[3]?.row.item;
    await edit({ ...press({ ...series, version: 2 }), from }, 'every monday at 10:00', texts);
    await runAt('2027-02-22T12:02Z');
    expect(await listHeld()).toEqual([...earlier, '03-22T10:00 One', '03-29T10:00 Two']);
  });

  test('a blackout day that is lifted brings back no post that an edit has dropped meanwhile', async () => {
    const series = await start('every monday at 9', { texts: ['Old'] });
    const [, second, third] = await listPosts();
    const change = async (version: number, from: number | undefined, text: string, time: string) => {
      await edit({ ...press({ ...series, version }), from }, text, { texts: ['New'] });
      await runAt(time);
    };
    await change(1, third?.row.item, 'every monday at 9', '2027-02-22T12:01Z');
    await fixture.setPolicy({ ...POLICY, blackouts: [{ from: '2027-03-08', to: '2027-03-08', name: '' }] });
    await makeSeriesDue(fixture.context, { id: series.id, isChanged: true });
    await runAt('2027-02-22T12:02Z');
    await change(2, undefined, 'every monday at 9', '2027-02-22T12:03Z');
    await change(3, third?.row.item, 'every tuesday at 9', '2027-02-22T12:04Z');
    await fixture.setPolicy(POLICY);
    await makeSeriesDue(fixture.context, { id: series.id, isChanged: true });
    await runAt('2027-02-22T12:05Z');
    expect((await listPosts()).find(({ row }) => row.id === second?.row.id)).toMatchObject({
      ...{ text: 'Old', state: 'cancelled' },
    });
  });

  test('a paused series sends nothing, and goes on with the dates to come', async () => {
    const series = await start('every day at 09:00');
    await pauseSeries(fixture.context, press(series));
    await runAt('2027-02-25T12:00Z');
    expect(fixture.listSentTexts()).toEqual([]);
    await resumeSeries(fixture.context, press(series));
    await runAt('2027-02-25T12:01Z');
    const posts = await listPosts();
    expect(posts.filter(({ state }) => state === 'cancelled').map(({ wall }) => wall)).toEqual([
      '2027-02-23T09:00',
      '2027-02-24T09:00',
      '2027-02-25T09:00',
    ]);
    expect(posts.filter(({ state }) => state === 'held')).toHaveLength(35);
  });

  test('a press on an outdated card changes nothing', async () => {
    const series = await create('every day at 09:00');
    await edit(press(series), 'every day at 10:00');
    expect((await pauseSeries(fixture.context, press(series))).kind).toBe('outdated');
    expect((await pauseSeries(fixture.context, { ...press(series), workspace: 'T2' })).kind).toBe(
      'not-found',
    );
  });
});

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

  test('are made for the dates that come near, also after days without an instance', async () => {
    await start('the 31st of every month at 09:00');
    expect((await listPosts()).map(({ wall }) => wall)).toEqual([]);
    await runAt('2027-02-24T12:00Z');
    expect((await listPosts()).map(({ wall }) => wall)).toEqual(['2027-03-31T09:00']);
    await runAt('2027-05-20T12:00Z');
    expect((await listPosts()).map(({ wall }) => wall)).toEqual(['2027-03-31T09:00', '2027-05-31T09:00']);
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
    const held = ['02-24T16:00', '02-25T09:00', '02-26T09:00', '02-27T09:00'];
    expect(await listHeldTimes()).toEqual(held);
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
