import { randomUUID } from 'node:crypto';
import { PostgresQueryCompiler, sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { migrations } from '../../../src/app/migrations.ts';
import type { PostContent } from '../../../src/features/schedule-post/sent/post-content.ts';
import type { BotSchema } from '../../../src/handlers/schema.ts';
import { cancelHeldPost, editHeldPost } from '../../../src/held-posts/change.ts';
import { moveHeldPost, restoreCancelledPost } from '../../../src/held-posts/decisions.ts';
import type { HeldPostRow } from '../../../src/held-posts/held-post.ts';
import type { HeldPostContext } from '../../../src/held-posts/held-post-context.ts';
import { holdPosts } from '../../../src/held-posts/hold.ts';
import { cancelSeries, createSeries } from '../../../src/held-posts/series/change-series.ts';
import { findCloseToRows } from '../../../src/held-posts/slots/close-to-rows.ts';
import { findNextSlot, NoFreeSlot } from '../../../src/held-posts/slots/service-slots.ts';
import { listFreeSlots, takeSlot } from '../../../src/held-posts/slots/slots.ts';
import type { Blackout, PostingTimes } from '../../../src/preferences/posting-times.ts';
import { findPolicy } from '../../../src/preferences/project-policy.ts';
import { openDatabase } from '../../../src/store/database.ts';
import { createOnPostgres, onPostgres } from '../../support/databases.ts';
import { createPostAt } from '../../support/post-submissions.ts';
import { createPostingTimes } from '../../support/posting-times.ts';
import { POLICY, PROJECT, press, startTestHeldPosts } from '../../support/start-held-posts.ts';

/** Posts take the first free slot of their project and platforms, and no two posts the same. */

type Fixture = Awaited<ReturnType<typeof startTestHeldPosts>>;

/** A Monday. */
const START = new Date('2027-02-22T12:00Z');

const countSame = async (...query: Parameters<typeof findCloseToRows>) =>
  (await findCloseToRows(...query)).same.size;

const createTimes = (platforms: string[], words: string) =>
  createPostingTimes(platforms, words, { zone: 'Europe/Berlin', now: START });

async function setTimes(fixture: Fixture, postingTimes: PostingTimes[], blackouts: Blackout[] = []) {
  fixture.setMinutesBefore((fixture.publishAt.getTime() - START.getTime()) / 60_000);
  await fixture.setPolicy({ ...POLICY, postingTimes, blackouts });
}

function createContent(text: string, platforms: string[], from: Date | undefined): PostContent {
  const { moment: _, ...content } = createPostAt(text, 0);
  return {
    ...content,
    values: { ...content.values, platforms },
    ...(from && { slot: { from: from.toISOString() } }),
  };
}

async function take(
  context: HeldPostContext,
  { platforms = ['LINKEDIN'], from = START, author = 'U1', origin = randomUUID() as string } = {},
) {
  const contents = [createContent(`Post ${origin}`, platforms, from)];
  const received = { ...PROJECT, author, origin, contents, policy: POLICY };
  const [post] = await holdPosts(context, received);
  if (!post) throw new Error('no post was held');
  return post;
}

const readTime = ({ publish_at: at }: Pick<HeldPostRow, 'publish_at'>) => at?.toISOString().slice(0, 16);
const takeTime = async (...args: Parameters<typeof take>) => readTime((await take(...args)).row);

/** Twelve slots a day. */
const MANY_TIMES = [8, 10, 12, 14, 16, 18].map((hour) =>
  createTimes(['LINKEDIN'], `every day ${hour}:00, ${hour}:30`),
);

describe('on one database', () => {
  let fixture: Fixture;
  beforeAll(async () => {
    fixture = await startTestHeldPosts();
  });
  beforeEach(() => fixture.reset());
  afterAll(() => fixture.close());

  test('a post leaves the slots of a series to it, also those whose posts are not made yet', async () => {
    await setTimes(fixture, [createTimes(['LINKEDIN', 'X'], 'mondays and tuesdays 9:00')]);
    const { recurrence } = createTimes(['LINKEDIN'], 'mondays 9:00');
    const series = await createSeries(fixture.context, {
      ...{ ...PROJECT, author: 'U1', origin: 'form', channel: undefined },
      content: { recurrence, contents: [createContent('Again', ['LINKEDIN'], undefined)], gapDays: 0 },
    });
    // A Monday two months from now.
    const from = new Date('2027-04-26T00:00Z');
    expect(await takeTime(fixture.context, { from })).toBe('2027-04-27T07:00');
    expect(await takeTime(fixture.context, { from, platforms: ['X'] })).toBe('2027-04-26T07:00');
    const { workspace } = PROJECT;
    await cancelSeries(fixture.context, {
      ...{ id: series.row.id, workspace, actor: 'U1', version: series.row.version },
    });
    expect(await takeTime(fixture.context, { from })).toBe('2027-04-26T07:00');
  });

  test('the series of the project are read once, however far a free slot is', async () => {
    await setTimes(fixture, [createTimes(['LINKEDIN'], 'mondays 9:00')]);
    for (let taken = 0; taken < 8; taken += 1) await take(fixture.context);
    const compiler = new PostgresQueryCompiler();
    let reads = 0;
    const db = fixture.db.withPlugin({
      transformQuery({ node, queryId }) {
        if (compiler.compileQuery(node, queryId).sql.includes('from "series"')) reads += 1;
        return node;
      },
      transformResult: async ({ result }) => result,
    });
    expect(await takeTime({ ...fixture.context, db })).toBe('2027-04-26T07:00');
    expect(reads).toBe(1);
  });

  test('a post on several platforms takes a time that all of them have free', async () => {
    await setTimes(fixture, [
      createTimes(['LINKEDIN'], 'weekdays 9:00, 16:30'),
      createTimes(['X'], 'every day 9:00, 12:00'),
    ]);
    expect(await takeTime(fixture.context, { platforms: ['X'] })).toBe('2027-02-23T08:00');
    expect(await takeTime(fixture.context, { platforms: ['X', 'LINKEDIN'] })).toBe('2027-02-24T08:00');
    // A platform without posting times goes along.
    expect(await takeTime(fixture.context, { platforms: ['LINKEDIN', 'REDDIT'] })).toBe('2027-02-22T15:30');
    expect(await takeTime(fixture.context, { platforms: ['LINKEDIN'] })).toBe('2027-02-23T08:00');
  });

  test('blackout days and times of other posts are skipped', async () => {
    await setTimes(
      fixture,
      [createTimes([], 'every day 9:00')],
      [{ from: '2027-02-23', to: '2027-02-24', name: 'Carnival' }],
    );
    const content = createContent('By hand', ['X'], undefined);
    const moment = { instant: '2027-02-25T08:00:00.000Z', zone: 'Europe/Berlin' };
    await fixture.hold([], { contents: [{ ...content, moment }] });
    expect(await takeTime(fixture.context, { platforms: ['X'] })).toBe('2027-02-26T08:00');
    expect(await takeTime(fixture.context, { platforms: ['LINKEDIN'] })).toBe('2027-02-25T08:00');
  });

  test('a slot is free again after its post is moved or cancelled, and shared after an undo', async () => {
    await setTimes(fixture, [createTimes(['LINKEDIN'], 'every day 9:00')]);
    const { context } = fixture;
    const { row: first } = await take(context);
    await moveHeldPost(context, press(first), { instant: new Date('2027-03-01T10:00Z'), isScheduled: false });
    const { row: second } = await take(context);
    expect(readTime(second)).toBe('2027-02-23T08:00');
    await cancelHeldPost(context, press(second));
    const { row: third } = await take(context);
    expect(readTime(third)).toBe('2027-02-23T08:00');
    const restored = await restoreCancelledPost(context, press(second));
    expect(restored.kind).toBe('changed');
    if (restored.kind !== 'changed') return;
    expect([readTime(restored.row), await countSame(context, [restored.row])]).toEqual([
      '2027-02-23T08:00',
      1,
    ]);
    // Both keep the next post from the slot.
    expect(await takeTime(context)).toBe('2027-02-24T08:00');
  });

  test('an undo gets the slot back if nobody has taken it', async () => {
    await setTimes(fixture, [createTimes(['LINKEDIN'], 'every day 9:00')]);
    const { row } = await take(fixture.context);
    await cancelHeldPost(fixture.context, press(row));
    const restored = await restoreCancelledPost(fixture.context, press(row));
    if (restored.kind !== 'changed') throw new Error(restored.kind);
    expect(await countSame(fixture.context, [restored.row])).toBe(0);
    expect(await takeTime(fixture.context)).toBe('2027-02-24T08:00');
  });

  test('a slot whose post isn’t stored keeps others from it, and isn’t the time of another post', async () => {
    await setTimes(fixture, [createTimes(['LINKEDIN'], 'every day 9:00')]);
    const { context } = fixture;
    const { row } = await take(context, { from: new Date('2027-03-01T12:00Z') });
    const policy = await findPolicy(fixture.db, PROJECT);
    if (!policy) throw new Error('there is no policy');
    const request = { ...PROJECT, platforms: ['LINKEDIN'], origin: randomUUID(), item: 0, from: START };
    const slot = await takeSlot(context, request, policy);
    const moved = await moveHeldPost(context, press(row), {
      instant: slot?.instant ?? START,
      isScheduled: false,
    });
    if (moved.kind !== 'changed') throw new Error(moved.kind);
    expect(await countSame(context, [moved.row])).toBe(0);
    expect(await takeTime(context)).toBe('2027-02-24T08:00');
  });

  test('a form that is sent twice takes one slot', async () => {
    await setTimes(fixture, [createTimes(['LINKEDIN'], 'every day 9:00')]);
    const origin = randomUUID();
    const posts = await Promise.all([take(fixture.context, { origin }), take(fixture.context, { origin })]);
    expect(posts.map(({ row }) => readTime(row))).toEqual(['2027-02-23T08:00', '2027-02-23T08:00']);
    expect(await fixture.listRows()).toHaveLength(1);
    expect(await takeTime(fixture.context)).toBe('2027-02-24T08:00');
  });

  test('a form that is sent again with another wish takes another slot', async () => {
    await setTimes(fixture, [createTimes([], 'every day 9:00')]);
    const origin = randomUUID();
    await take(fixture.context, { origin });
    await take(fixture.context, { origin, from: new Date('2027-02-24T12:00Z') });
    const readTimes = async () => (await fixture.listRows()).map(readTime);
    expect(await readTimes()).toEqual(['2027-02-25T08:00']);
    expect(await takeTime(fixture.context, { platforms: ['X'] })).toBe('2027-02-23T08:00');
    const other = randomUUID();
    await take(fixture.context, { origin: other });
    // The slot that it has is taken on the other platform.
    await take(fixture.context, { origin: other, platforms: ['LINKEDIN', 'X'] });
    expect((await readTimes()).toSorted()).toEqual([
      '2027-02-23T08:00',
      '2027-02-24T08:00',
      '2027-02-25T08:00',
    ]);
  });

  test('a time that somebody entered is not the next slot of the form that is sent again', async () => {
    await setTimes(fixture, [createTimes(['LINKEDIN'], 'every day 9:00')]);
    const { context } = fixture;
    const origin = randomUUID();
    const moment = { instant: '2027-02-26T08:00:00.000Z', zone: 'Europe/Berlin' };
    const typed = { ...createContent(`Post ${origin}`, ['LINKEDIN'], undefined), moment };
    await holdPosts(context, { ...PROJECT, author: 'U1', origin, contents: [typed], policy: POLICY });
    const api = await context.submissions.context.findApiClient('T1');
    if (!api) throw new Error('there is no service');
    const sources = { reads: context.reads, api, heldPosts: context };
    const place = { ...PROJECT, platforms: ['LINKEDIN'] };
    const shown = await findNextSlot(sources, place, { from: START, origin });
    expect(shown).toMatchObject({ slot: { instant: new Date('2027-02-23T08:00Z') } });
    expect(await takeTime(context, { origin })).toBe('2027-02-23T08:00');
    // It has a slot now.
    expect(await takeTime(context, { origin })).toBe('2027-02-23T08:00');
    const { row } = await take(context, { origin });
    await moveHeldPost(context, press(row), { instant: new Date('2027-02-26T08:00Z'), isScheduled: false });
    expect((await fixture.listRows()).map(({ has_slot }) => has_slot)).toEqual([false]);
  });

  test('a time is not the next slot of a platform that its form has added to the post since', async () => {
    const times = [createTimes(['LINKEDIN'], 'every day 9:00, 12:00'), createTimes(['X'], 'every day 12:00')];
    await setTimes(fixture, times);
    const { context } = fixture;
    const origin = randomUUID();
    const platforms = ['LINKEDIN', 'X'];
    const { row } = await take(context, { origin });
    const moment = { instant: row.publish_at?.toISOString() ?? '', zone: 'Europe/Berlin' };
    const typed = { ...createContent(`Post ${origin}`, platforms, undefined), moment };
    await holdPosts(context, { ...PROJECT, author: 'U1', origin, contents: [typed], policy: POLICY });
    expect((await fixture.listRows()).map(readTime)).toEqual(['2027-02-23T08:00']);
    expect(await takeTime(context, { origin, platforms })).toBe('2027-02-23T11:00');
  });

  test.each<[string, () => Promise<unknown>]>([
    ['the posting times changed', () => setTimes(fixture, [createTimes(['LINKEDIN'], 'every day 10:00')])],
    [
      'its slot has passed',
      async () =>
        fixture.setMinutesBefore(
          (fixture.publishAt.getTime() - new Date('2027-02-23T09:00Z').getTime()) / 60_000,
        ),
    ],
    [
      'its post was cancelled',
      async () => {
        const [row] = await fixture.listRows();
        if (row) await cancelHeldPost(fixture.context, press(row));
      },
    ],
  ])('a form that is sent twice unchanged changes nothing, although %s meanwhile', async (_what, change) => {
    await setTimes(fixture, [createTimes(['LINKEDIN'], 'every day 9:00')]);
    const origin = randomUUID();
    await take(fixture.context, { origin });
    await change();
    const before = await fixture.listRows();
    const { row } = await take(fixture.context, { origin });
    expect([row.id, readTime(row)]).toEqual([before[0]?.id, '2027-02-23T08:00']);
    expect(await fixture.listRows()).toEqual(before);
  });

  test('a draft without a time that its form sends again for the next slot leaves no reservation', async () => {
    await setTimes(fixture, [createTimes(['LINKEDIN'], 'every day 9:00')]);
    const { context } = fixture;
    const origin = randomUUID();
    const send = async (from?: Date) => {
      const content = createContent('Later', ['LINKEDIN'], from);
      const draft = { ...content, values: { ...content.values, status: 'DRAFT' as const } };
      await holdPosts(context, { ...PROJECT, author: 'U1', origin, contents: [draft], policy: POLICY });
    };
    await send();
    await send(START);
    expect((await fixture.listRows()).map(readTime)).toEqual(['2027-02-23T08:00']);
    expect(await fixture.db.selectFrom('slot_reservation').selectAll().execute()).toEqual([]);
  });

  test('a slot that a form asks for again stays reserved for two minutes from then on', async () => {
    await setTimes(fixture, [createTimes(['LINKEDIN'], 'every day 9:00')]);
    const policy = await findPolicy(fixture.db, PROJECT);
    const request = { ...PROJECT, platforms: ['LINKEDIN'], origin: randomUUID(), item: 0, from: START };
    const setSeconds = (seconds: number) =>
      fixture.setMinutesBefore((fixture.publishAt.getTime() - START.getTime()) / 60_000 - seconds / 60);
    const first = await takeSlot(fixture.context, request, policy);
    setSeconds(119);
    expect(await takeSlot(fixture.context, request, policy)).toEqual(first);
    setSeconds(121);
    expect(await takeTime(fixture.context)).toBe('2027-02-24T08:00');
    expect(await takeTime(fixture.context, { origin: request.origin })).toBe('2027-02-23T08:00');
  });

  test('two copies of a move to the next slot or to a time are one move, and both say so', async () => {
    await setTimes(fixture, [createTimes(['LINKEDIN'], 'every day 9:00')]);
    const { context } = fixture;
    for (const time of [
      { slotFrom: new Date('2027-03-01T12:00Z') },
      { instant: new Date('2027-03-05T10:00Z') },
    ]) {
      const { row } = await take(context);
      const move = () => moveHeldPost(context, press(row), { ...time, isScheduled: false });
      const [one, other] = await Promise.all([move(), move()]);
      expect('row' in other && other.row).toEqual('row' in one && one.row);
      expect(other.kind).toBe('changed');
      expect(one).toMatchObject({ kind: 'changed', row: { id: row.id, version: row.version + 1 } });
    }
  });

  test('the second press of an edit that took a slot changes nothing', async () => {
    await setTimes(fixture, [createTimes(['LINKEDIN'], 'every day 9:00')]);
    const { row } = await take(fixture.context);
    const content = createContent('Edited', ['LINKEDIN'], START);
    const first = await editHeldPost(fixture.context, press(row), content);
    const second = await editHeldPost(fixture.context, press(row), content);
    if (first.kind !== 'changed') throw new Error(first.kind);
    expect(second).toMatchObject({ kind: 'changed', row: { version: first.row.version } });
    const other = createContent('Other', ['LINKEDIN'], START);
    expect((await editHeldPost(fixture.context, press(row), other)).kind).toBe('outdated');
  });

  test('an edit or a move to the next slot isn’t done because somebody else has moved the post', async () => {
    await setTimes(fixture, [createTimes(['LINKEDIN'], 'every day 9:00')]);
    const { context } = fixture;
    const toTime = { instant: new Date('2027-02-26T09:00Z'), isScheduled: false };
    const toSlot = { slotFrom: new Date('2027-02-25T12:00Z'), isScheduled: false };
    for (const move of [toTime, toSlot]) {
      const origin = randomUUID();
      const { row } = await take(context, { origin });
      await moveHeldPost(context, press(row, 'U2'), move);
      const content = createContent(`Post ${origin}`, ['LINKEDIN'], START);
      expect((await editHeldPost(context, press(row), content)).kind).toBe('outdated');
    }
    const { row } = await take(context);
    const moves = await Promise.all([
      moveHeldPost(context, press(row, 'U2'), toTime),
      moveHeldPost(context, press(row), { ...toSlot, slotFrom: START }),
    ]);
    expect(moves.map(({ kind }) => kind).toSorted()).toEqual(['changed', 'outdated']);
  });

  test('two edits that take a slot at once get different ones', async () => {
    await setTimes(fixture, [createTimes(['LINKEDIN'], 'every day 9:00')]);
    const later = new Date('2027-03-01T12:00Z');
    const posts = [await take(fixture.context), await take(fixture.context)];
    const edits = await Promise.all(
      posts.map(({ row }, index) =>
        editHeldPost(fixture.context, press(row), createContent(`Edited ${index}`, ['LINKEDIN'], later)),
      ),
    );
    expect(edits.map((edit) => edit.kind === 'changed' && readTime(edit.row)).toSorted()).toEqual([
      '2027-03-02T08:00',
      '2027-03-03T08:00',
    ]);
    expect(await takeTime(fixture.context)).toBe('2027-02-23T08:00');
  });

  test('an edit for which no slot is free changes nothing', async () => {
    await setTimes(fixture, [createTimes(['LINKEDIN'], 'every day 9:00')]);
    const { row } = await take(fixture.context);
    const content = createContent('Edited', ['X'], START);
    await expect(editHeldPost(fixture.context, press(row), content)).rejects.toThrow(NoFreeSlot);
    const outdated = { ...press(row), version: row.version + 1 };
    expect((await editHeldPost(fixture.context, outdated, content)).kind).toBe('outdated');
    expect((await fixture.listRows()).map(({ version }) => version)).toEqual([row.version]);
  });

  test('a slot is free on a platform that an edit takes off its post', async () => {
    await setTimes(fixture, [createTimes([], 'every day 9:00')]);
    const { row } = await take(fixture.context, { platforms: ['LINKEDIN', 'X'] });
    const moment = { instant: row.publish_at?.toISOString() ?? '', zone: 'Europe/Berlin' };
    const content = { ...createContent('Edited', ['LINKEDIN'], undefined), moment };
    await editHeldPost(fixture.context, press(row), content);
    expect(await takeTime(fixture.context, { platforms: ['X'] })).toBe('2027-02-23T08:00');
    expect(await takeTime(fixture.context)).toBe('2027-02-24T08:00');
  });

  test.each([
    ['that another one took', "origin = 'another'"],
    ['whose reservation has passed', "reserved_until = '2027-01-01'"],
  ])('a post isn’t stored with a slot %s while its instance stood still', async (_why, change) => {
    const { db, context } = fixture;
    await setTimes(fixture, [createTimes(['LINKEDIN'], 'mondays 9:00')]);
    await sql`create function lose_slot() returns trigger language plpgsql as $$ begin
      update slot_reservation set ${sql.raw(change)}; return new; end $$`.execute(db);
    await sql`create trigger lose_slot before insert on post
      for each row execute function lose_slot()`.execute(db);
    await expect(take(context)).rejects.toThrow('was taken while');
    await sql`drop function lose_slot cascade`.execute(db);
    expect(await db.selectFrom('held_post').select('id').execute()).toEqual([]);
  });

  test('a slot that was reserved for a post that was never stored is free after two minutes', async () => {
    await setTimes(fixture, [createTimes(['LINKEDIN'], 'every day 9:00')]);
    const slot = { ...PROJECT, platform: 'LINKEDIN', slot_at: new Date('2027-02-23T08:00Z') };
    const values = { ...slot, origin: 'lost', item: 0, reserved_until: new Date(START.getTime() + 120_000) };
    await fixture.db.insertInto('slot_reservation').values(values).execute();
    expect(await takeTime(fixture.context)).toBe('2027-02-24T08:00');
    fixture.setMinutesBefore((fixture.publishAt.getTime() - START.getTime()) / 60_000 - 3);
    expect(await takeTime(fixture.context)).toBe('2027-02-23T08:00');
  });
});

/** 200 people take a slot at once, half of them through each instance. */
async function takeAtOnce(contexts: readonly HeldPostContext[]): Promise<void> {
  const [first] = contexts;
  if (!first) throw new Error('there is no instance');
  const policy = await findPolicy(first.db, PROJECT);
  const place = { ...PROJECT, platforms: ['LINKEDIN'] };
  const free = await listFreeSlots(first, place, policy, { from: START, most: 200 });
  const posts = await Promise.all(
    Array.from({ length: 200 }, (_, index) =>
      take(contexts[index % contexts.length] ?? first, { author: `U${index}` }),
    ),
  );
  const times = posts.map(({ row }) => row.publish_at?.getTime() ?? 0).toSorted((one, other) => one - other);
  expect(new Set(times).size).toBe(200);
  // Nobody gets a later slot than needed.
  expect(times).toEqual(free.map(({ instant }) => instant.getTime()).toSorted((one, other) => one - other));
}

onPostgres((buildUrl) => {
  test('a slot whose reservation passes while its post is being stored isn’t free for another post', async () => {
    const server = await createOnPostgres(buildUrl);
    const fixture = await startTestHeldPosts(async () => {
      const db = await openDatabase<BotSchema>({ dialect: server.dialect(), migrations });
      return { db, close: () => db.destroy() };
    });
    try {
      await fixture.reset();
      await setTimes(fixture, [createTimes(['LINKEDIN'], 'every day 9:00')]);
      const { db, context } = fixture;
      const { row } = await take(context, { from: new Date('2027-03-01T12:00Z') });
      const policy = await findPolicy(db, PROJECT);
      const request = { ...row, platforms: ['LINKEDIN'], from: START, present: row.publish_at };
      const slot = await takeSlot(context, request, policy);
      const other = await db.transaction().execute(async (trx) => {
        // As an edit stores its post.
        await trx.deleteFrom('slot_reservation').execute();
        await trx.updateTable('held_post').set({ publish_at: slot?.instant }).execute();
        fixture.setMinutesBefore((fixture.publishAt.getTime() - START.getTime()) / 60_000 - 3);
        const taking = take(context);
        const countWaiting = async () => {
          const { rows } = await sql`select from pg_stat_activity
            where wait_event_type = 'Lock' and datname = current_database()`.execute(db);
          return rows.length;
        };
        await expect.poll(countWaiting).toBe(1);
        return { taking };
      });
      expect(readTime((await other.taking).row)).toBe('2027-02-24T08:00');
    } finally {
      await fixture.close();
      await server.close();
    }
  });

  test('200 people who take a slot at once over two instances get 200 slots', async () => {
    const server = await createOnPostgres(buildUrl);
    const open = async () => {
      const db = await openDatabase<BotSchema>({ dialect: server.dialect(), migrations });
      return { db, close: () => db.destroy() };
    };
    const [one, other] = [await startTestHeldPosts(open), await startTestHeldPosts(open)];
    try {
      await one.reset();
      await setTimes(one, MANY_TIMES);
      other.setMinutesBefore((other.publishAt.getTime() - START.getTime()) / 60_000);
      await takeAtOnce([one.context, other.context]);
    } finally {
      await one.close();
      await other.close();
      await server.close();
    }
  });
});
