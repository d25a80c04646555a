import { randomUUID } from 'node:crypto';
import {
  createSeries,
  editSeries,
  findSeries,
  type SeriesPress,
} from '../../src/held-posts/series/change-series.ts';
import type { SeriesContent } from '../../src/held-posts/series/rule.ts';
import { understandRecurrence } from '../../src/when/recurrence.ts';
import { wallClockAt } from '../../src/when/zones.ts';
import { createPostAt } from './post-submissions.ts';
import { startTestHeldPosts } from './start-held-posts.ts';

/** A Monday, three weeks before the clocks go forward in New York, and five before Berlin. */
export const START = '2027-02-22T12:00Z';
export const ZONE = 'Europe/Berlin';

/** Starts held posts on which series run, from START on. */
export async function startTestSeries() {
  const fixture = await startTestHeldPosts();
  const toMinutesBefore = (time: string | Date) =>
    (fixture.publishAt.getTime() - new Date(time).getTime()) / 60_000;
  const setTime = (time: string | Date) => fixture.setMinutesBefore(toMinutesBefore(time));
  function buildContent(text: string, { texts = ['Hello'], gapDays = 0, zone = ZONE } = {}): SeriesContent {
    const now = fixture.context.clock.now();
    const reading = understandRecurrence({ text, zone, now, locale: 'en-GB' });
    if (reading.kind !== 'understood') throw new Error(`“${text}” is ${reading.kind}`);
    const contents = texts.map((each) => {
      const { moment: _, ...content } = createPostAt(each, 0);
      return content;
    });
    return { recurrence: { zone, ...reading.recurrence }, contents, gapDays };
  }
  type Instance = ReturnType<typeof fixture.createInstance>;
  type Options = Parameters<typeof buildContent>[1];
  const runAt = (time: string | Date, instance?: Instance) => fixture.runAt(toMinutesBefore(time), instance);
  async function create(text: string, options?: Options) {
    const { row } = await createSeries(fixture.context, {
      ...{ workspace: 'T1', author: 'U1', project: 'p1', origin: randomUUID(), channel: undefined },
      content: buildContent(text, options),
    });
    return row;
  }
  async function listPosts(zone = ZONE) {
    const rows = await fixture.listRows();
    return rows
      .toSorted((first, second) => first.item - second.item)
      .map((row) => ({
        row,
        wall: new Date(wallClockAt(row.publish_at?.getTime() ?? 0, zone)).toISOString().slice(0, 16),
        text: fixture.readText(row),
        state: row.state,
      }));
  }
  const listHeld = async () => (await listPosts()).filter(({ state }) => state === 'held');
  return {
    fixture,
    setTime,
    runAt,
    async reset() {
      await fixture.reset();
      setTime(START);
    },
    buildContent,
    create,
    /** Creates a series, and makes its first posts. */
    async start(text: string, { instance, ...options }: Options & { instance?: Instance } = {}) {
      const series = await create(text, options);
      await runAt(START, instance);
      return series;
    },
    edit: (pressed: SeriesPress, ...words: Parameters<typeof buildContent>) =>
      editSeries(fixture.context, pressed, buildContent(...words)),
    listPosts,
    listHeld,
    /** The days and times of the posts that go out: "03-01T09:00". */
    listHeldTimes: async () => (await listHeld()).map(({ wall }) => wall.slice(5)),
    /** The posts of a series that has at least three. */
    async listThree() {
      const [first, second, third] = await listPosts();
      if (!first || !second || !third) throw new Error('posts are missing');
      return [first, second, third] as const;
    },
    async read(id: string) {
      const row = await findSeries(fixture.db, { id, workspace: 'T1' });
      if (!row) throw new Error('the series is missing');
      return row;
    },
  };
}
