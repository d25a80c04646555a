import { afterAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { cancelHeldPost, editHeldPost } from '../../../src/held-posts/change.ts';
import { moveHeldPost, restoreCancelledPost } from '../../../src/held-posts/decisions.ts';
import {
  cancelSeries,
  findSeries,
  makeSeriesDue,
  pauseSeries,
  restoreSeries,
  resumeSeries,
  undoSeriesEdit,
} from '../../../src/held-posts/series/change-series.ts';
import { computeDateKey } from '../../../src/held-posts/series/rule.ts';
import { renderSeriesCard } from '../../../src/held-posts/series/series-card.ts';
import { createPostAt } from '../../support/post-submissions.ts';
import { POLICY, press } from '../../support/start-held-posts.ts';
import { startTestSeries, ZONE } from '../../support/test-series.ts';

/** What people change of a series and its posts stays, and can be undone. */

const { fixture, reset, runAt, create, start, edit, listPosts, listHeld, listHeldTimes, listThree, read } =
  await startTestSeries();
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

  test('a change of this and all later posts leaves the earlier ones', async () => {
    const series = await start('every monday at 9');
    const from = (await listPosts())[2]?.row.item;
    await edit({ ...press(series), from }, 'every tuesday at 10:00', { texts: ['New'] });
    await runAt('2027-02-22T12:01Z');
    const posts = await listHeld();
    expect(posts.map(({ wall, text }) => `${wall} ${text}`)).toEqual([
      '2027-03-01T09:00 Hello',
      '2027-03-08T09:00 Hello',
      '2027-03-16T10:00 New',
      '2027-03-23T10:00 New',
    ]);
  });

  test('this and all later posts are cancelled, and restored by Undo', async () => {
    const series = await start('every monday at 9');
    const from = (await listPosts())[2]?.row.item ?? 0;
    const result = await cancelSeries(fixture.context, { ...press(series), from });
    expect(result).toMatchObject({ kind: 'changed', counts: { cancelled: 3, sent: 0 } });
    await runAt('2027-02-24T12:00Z');
    expect((await listPosts()).map(({ state }) => state)).toEqual([
      'held',
      'held',
      'cancelled',
      'cancelled',
      'cancelled',
    ]);
    const { ends_before: end } = await read(series.id);
    await restoreSeries(fixture.context, { ...press(series), from: end ?? 0 });
    await runAt('2027-02-24T12:01Z');
    expect(new Set(await fixture.listStates())).toEqual(new Set(['held']));
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
    const held = ['03-01T09:00', '03-09T09:00', '03-16T10:00', '03-23T10:00'];
    expect(await listHeldTimes()).toEqual(['03-01T09:00', '03-02T09:00', ...held.slice(1)]);
    const row = await findSeries(fixture.db, { id: series.id, workspace: 'T1' });
    await pauseSeries(fixture.context, press(row ?? series));
    expect(await listHeldTimes()).toEqual([]);
    await resumeSeries(fixture.context, press(row ?? series));
    await runAt('2027-02-22T12:03Z');
    expect(await listHeldTimes()).toEqual(['03-01T09:00', '03-02T09:00', ...held.slice(1)]);
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
