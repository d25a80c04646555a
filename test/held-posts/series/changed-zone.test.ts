import { afterAll, beforeEach, expect, test } from 'vitest';
import { undoSeriesEdit } from '../../../src/held-posts/series/change-series.ts';
import { press } from '../../support/start-held-posts.ts';
import { startTestSeries } from '../../support/test-series.ts';

/** An edit that moves a series to another zone, in which the clock shows another day or time. */

const { edit, fixture, listPosts, read, reset, runAt, start } = await startTestSeries();
beforeEach(reset);
afterAll(() => fixture.close());

const LISBON = 'Europe/Lisbon';
const TOKYO = 'Asia/Tokyo';

/** The first posts that go out, in UTC: "02-22T18:00". */
async function listFirst(count = 3) {
  const posts = (await listPosts('UTC')).filter(({ state }) => state === 'held');
  return posts.slice(0, count).map(({ wall }) => wall.slice(5));
}

// At noon in Lisbon, it is 21:00 in Tokyo.
test.each(['every day at 18:00', 'every day at 20:00'])(
  'eastwards also changes today’s post, and no date counts as missed: %s',
  async (rule) => {
    const { id } = await start('every day at 18:00', { zone: LISBON });
    expect(await listFirst()).toEqual(['02-22T18:00', '02-23T18:00', '02-24T18:00']);
    await edit(press(await read(id)), rule, { zone: TOKYO });
    await runAt('2027-02-22T12:01Z');
    const time = rule.endsWith('18:00') ? '09:00' : '11:00';
    expect(await listFirst()).toEqual([`02-23T${time}`, `02-24T${time}`, `02-25T${time}`]);
    expect(await read(id)).toMatchObject({ missed: null, reason: null });
    await undoSeriesEdit(fixture.context, press(await read(id)));
    await runAt('2027-02-22T12:02Z');
    expect(await listFirst()).toEqual(['02-22T18:00', '02-23T18:00', '02-24T18:00']);
  },
);

test('westwards is undone for today’s post too', async () => {
  const { id } = await start('every day at 23:00', { zone: TOKYO });
  expect(await listFirst()).toEqual(['02-22T14:00', '02-23T14:00', '02-24T14:00']);
  await edit(press(await read(id)), 'every day at 19:00', { zone: LISBON });
  await runAt('2027-02-22T12:01Z');
  expect(await listFirst()).toEqual(['02-22T19:00', '02-23T19:00', '02-24T19:00']);
  await undoSeriesEdit(fixture.context, press(await read(id)));
  await runAt('2027-02-22T12:02Z');
  expect(await listFirst()).toEqual(['02-22T14:00', '02-23T14:00', '02-24T14:00']);
  expect(await read(id)).toMatchObject({ missed: null, reason: null });
});
