import { randomUUID } from 'node:crypto';
import { createSeries, findSeries } from '../../src/held-posts/series/change-series.ts';
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
  return {
    fixture,
    setTime,
    async runAt(time: string | Date, instance?: ReturnType<typeof fixture.createInstance>) {
      await fixture.runAt(toMinutesBefore(time), instance);
    },
    async reset() {
      await fixture.reset();
      setTime(START);
    },
    buildContent,
    async create(text: string, options: Parameters<typeof buildContent>[1] = {}) {
      const { row } = await createSeries(fixture.context, {
        ...{ workspace: 'T1', author: 'U1', project: 'p1', origin: randomUUID(), channel: undefined },
        content: buildContent(text, options),
      });
      return row;
    },
    async listPosts(zone = ZONE) {
      const rows = await fixture.listRows();
      return rows
        .toSorted((first, second) => first.item - second.item)
        .map((row) => ({
          row,
          wall: new Date(wallClockAt(row.publish_at?.getTime() ?? 0, zone)).toISOString().slice(0, 16),
          text: fixture.readText(row),
          state: row.state,
        }));
    },
    async read(id: string) {
      const row = await findSeries(fixture.db, { id, workspace: 'T1' });
      if (!row) throw new Error('the series is missing');
      return row;
    },
  };
}
