import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { cancelHeldPost, editHeldPost } from '../../../src/held-posts/change.ts';
import { moveHeldPost, restoreCancelledPost } from '../../../src/held-posts/decisions.ts';
import { listHeldMedia } from '../../../src/held-posts/held-posts.ts';
import {
  cancelSeries,
  editSeries,
  MAX_RUNNING_SERIES,
  pauseSeries,
  resumeSeries,
  undoSeriesEdit,
} from '../../../src/held-posts/series/change-series.ts';
import { readMissedDates } from '../../../src/held-posts/series/occurrences.ts';
import { getDayStart } from '../../../src/held-posts/series/rule.ts';
import { renderSeriesCard } from '../../../src/held-posts/series/series-card.ts';
import { expectParts } from '../../support/form-steps.ts';
import { createPostAt } from '../../support/post-submissions.ts';
import { press } from '../../support/start-held-posts.ts';
import { createStoredSlack } from '../../support/stored-slack.ts';
import { START, startTestSeries, ZONE } from '../../support/test-series.ts';

/** How a series ends, what Undo brings back, and what becomes of dates that passed without an instance. */

const { fixture, reset, runAt, buildContent, create, start, edit, listPosts, listHeld, listThree, read } =
  await startTestSeries();
beforeEach(reset);
afterAll(() => fixture.close());

const toWall = (key: number | undefined) => new Date((key ?? 0) * 60_000).toISOString().slice(0, 16);

describe('undo of an edit', () => {
  test('brings back the rule and the texts, but leaves what people have edited', async () => {
    const series = await start('every monday at 9');
    await edit(press(series), 'every tuesday at 10:00', { texts: ['New'] });
    await runAt('2027-02-22T12:01Z');
    const edited = (await listPosts()).find(({ state }) => state === 'held');
    if (!edited) throw new Error('the post is missing');
    await editHeldPost(fixture.context, press(edited.row), {
      ...createPostAt('Edited', 0),
      moment: { instant: edited.row.publish_at?.toISOString() ?? '', zone: ZONE },
    });
    const result = await undoSeriesEdit(fixture.context, press({ ...series, version: 2 }));
    expect(result).toMatchObject({ kind: 'changed', counts: { sent: 0 }, row: { previous: null } });
    await runAt('2027-02-22T12:02Z');
    const held = await listHeld();
    expect(held.map(({ wall, text }) => `${wall.slice(5)} ${text}`)).toEqual([
      ...['02-23T10:00 Edited', '03-01T09:00 Hello', '03-08T09:00 Hello', '03-15T09:00 Hello'],
      ...['03-22T09:00 Hello', '03-29T09:00 Hello'],
    ]);
  });

  test('of this and all later posts leaves the earlier ones, and works once', async () => {
    const series = await start('every monday at 9');
    const from = (await listPosts())[2]?.row.item;
    await edit({ ...press(series), from }, 'every monday at 9', { texts: ['New'] });
    await runAt('2027-02-22T12:01Z');
    await undoSeriesEdit(fixture.context, press({ ...series, version: 2 }));
    expect((await undoSeriesEdit(fixture.context, press({ ...series, version: 2 }))).kind).toBe('outdated');
    await runAt('2027-02-22T12:02Z');
    expect((await listPosts()).map(({ text, state }) => `${text} ${state}`)).toEqual(
      Array.from({ length: 5 }, () => 'Hello held'),
    );
  });

  test('counts the posts that have gone out with it', async () => {
    const series = await start('every day at 09:00');
    await edit(press(series), 'every day at 09:00', { texts: ['New'] });
    await runAt('2027-02-23T07:00Z');
    const result = await undoSeriesEdit(fixture.context, press({ ...series, version: 2 }));
    expect(result).toMatchObject({ kind: 'changed', counts: { sent: 1 } });
  });
});

describe('a series whose later posts were cancelled', () => {
  test('counts as cancelled once the others have gone out, and Undo brings it back', async () => {
    const series = await start('every monday at 9');
    const from = (await listPosts())[1]?.row.item ?? 0;
    await cancelSeries(fixture.context, { ...press(series), from });
    await runAt('2027-02-24T12:00Z');
    expect((await read(series.id)).state).toBe('running');
    await runAt('2027-03-01T07:00Z');
    await runAt('2027-03-02T12:00Z');
    expect((await read(series.id)).state).toBe('cancelled');
    await resumeSeries(fixture.context, press(series));
    await runAt('2027-03-02T12:01Z');
    expect(await read(series.id)).toMatchObject({ state: 'running', ends_before: null });
    const held = await listHeld();
    expect(held.map(({ wall }) => wall.slice(5, 10))).toEqual([
      ...['03-08', '03-15', '03-22', '03-29', '04-05'],
    ]);
  });

  test('isn’t continued by the end of a later post', async () => {
    const series = await start('every monday at 9');
    const [, second, , fourth] = await listPosts();
    const [from = 0, later = 0] = [second?.row.item, fourth?.row.item];
    await cancelSeries(fixture.context, { ...press(series), from });
    await runAt('2027-02-22T12:01Z');
    const row = await read(series.id);
    const message = await renderSeriesCard(fixture.context, row, { now: new Date(START) }, { from: later });
    const card = JSON.stringify(message);
    expect(card).not.toContain('this and later');
    await cancelSeries(fixture.context, { ...press(series), from: later });
    await runAt('2027-02-22T12:02Z');
    expect((await read(series.id)).ends_before).toBe(getDayStart(from));
    expect(await listHeld()).toHaveLength(1);
  });
});

test('a pause that outlasts the last posts before “this and all later ones” brings back no later one', async () => {
  const series = await start('every monday at 9');
  const from = (await listPosts())[1]?.row.item ?? 0;
  await cancelSeries(fixture.context, { ...press(series), from });
  await pauseSeries(fixture.context, press(series));
  await runAt('2027-03-02T12:00Z');
  await resumeSeries(fixture.context, press(series));
  await runAt('2027-03-02T12:01Z');
  expect((await read(series.id)).state).toBe('cancelled');
  expect(new Set((await listPosts()).map(({ state }) => state))).toEqual(new Set(['cancelled']));
});

test('a paused series isn’t resumed in a project that has as many running ones as it can', async () => {
  const series = await start('every monday at 9');
  await pauseSeries(fixture.context, press(series));
  const others = Array.from({ length: MAX_RUNNING_SERIES }, (_, index) => ({
    ...series,
    ...{ id: `other-${index}`, origin: `other-${index}`, next_at: null },
  }));
  await fixture.db.insertInto('series').values(others).execute();
  expect((await resumeSeries(fixture.context, press(series))).kind).toBe('too-many');
  expect((await read(series.id)).state).toBe('paused');
});

describe('dates that passed while no instance ran', () => {
  test('have no late post, and the author is told of them once', async () => {
    const slack = createStoredSlack();
    const instance = fixture.createInstance({}, slack.client);
    const series = await start('every monday at 9', { instance });
    // Posts of 35 days were made, which ask for themselves.
    await runAt('2027-04-14T12:00Z', instance);
    const row = await read(series.id);
    expect(readMissedDates(row).map(toWall)).toEqual(['2027-04-05T09:00', '2027-04-12T09:00']);
    await runAt('2027-04-14T12:01Z', instance);
    await runAt('2027-04-15T12:01Z', instance);
    const told = slack.messages.filter(({ text }) => text.includes('A series missed dates.'));
    expect(told).toHaveLength(1);
    const { context } = fixture;
    const missed = await read(series.id);
    const card = JSON.stringify(await renderSeriesCard(context, missed, { now: context.clock.now() }));
    expectParts(card, 'these dates have no post', 'Mon 5 Apr, 09:00', 'Mon 12 Apr, 09:00');
    expect(fixture.listSentTexts()).toEqual([]);
    await runAt('2027-04-22T12:01Z', instance);
    expect(await read(series.id)).toMatchObject({ state: 'running', reason: null, missed: null });
  });

  test('are told in the singular if there is one', async () => {
    const slack = createStoredSlack();
    const instance = fixture.createInstance({}, slack.client);
    await start('every monday at 9', { instance });
    for (const time of ['2027-04-07T12:00Z', '2027-04-07T12:01Z']) await runAt(time, instance);
    const texts = slack.messages.map(({ text }) => text).filter((text) => text.includes('A series'));
    expect(texts).toEqual([expect.stringContaining('A series missed a date.')]);
  });

  test('are told too if they were the last ones', async () => {
    const series = await create('every day at 09:00, 3 times');
    await runAt('2027-03-22T12:00Z');
    expect(await read(series.id)).toMatchObject({ state: 'ended', reason: 'missed' });
    expect(readMissedDates(await read(series.id))).toHaveLength(3);
  });

  test('aren’t those that an edit from a past date on gives another time', async () => {
    const series = await start('every day at 09:00');
    for (const day of [23, 24]) await runAt(`2027-02-${day}T07:00Z`);
    await runAt('2027-02-24T12:00Z');
    const from = (await listPosts())[0]?.row.item;
    await edit({ ...press(series), from }, 'every day at 10:00');
    await runAt('2027-02-24T12:01Z');
    expect(await read(series.id)).toMatchObject({ reason: null, missed: null });
  });

  test('don’t hide that texts run out', async () => {
    const slack = createStoredSlack();
    const instance = fixture.createInstance({}, slack.client);
    await start('every monday and thursday at 9', { gapDays: 2, instance });
    await runAt('2027-04-14T12:00Z', instance);
    const other = createPostAt('Hello', 0);
    await fixture.hold(['Hello'], {
      contents: [{ ...other, moment: { instant: '2027-05-19T10:00:00Z', zone: ZONE } }],
    });
    for (const time of ['2027-04-15T12:00Z', '2027-04-15T12:01Z', '2027-04-23T12:00Z', '2027-04-23T12:01Z'])
      await runAt(time, instance);
    const texts = slack.messages.map(({ text }) => text).filter((text) => text.includes('A series'));
    expect(texts).toEqual([
      expect.stringContaining('A series missed dates.'),
      expect.stringContaining('A series missed dates, and will run out of texts.'),
    ]);
  });

  test('aren’t those of a pause', async () => {
    const series = await start('every day at 09:00');
    await fixture.db.updateTable('series').set({ state: 'paused', next_at: null }).execute();
    await runAt('2027-04-22T12:00Z');
    await resumeSeries(fixture.context, press(series));
    await runAt('2027-04-22T12:01Z');
    expect(await read(series.id)).toMatchObject({ state: 'running', missed: null });
  });
});

test('while its project is at another service it is paused, its author is asked once, and it goes on by itself', async () => {
  const slack = createStoredSlack();
  const instance = fixture.createInstance({}, slack.client);
  const series = await start('every monday at 9', { instance });
  fixture.connection.isElsewhere = true;
  await instance.recheckAuthority('T1');
  await runAt('2027-02-22T12:02Z', instance);
  await runAt('2027-02-22T12:04Z', instance);
  expect(slack.messages).toEqual([
    expect.objectContaining({ channel: 'DU1', text: expect.stringContaining('I paused a series.') }),
  ]);
  expect([(await read(series.id)).reason, new Set(await fixture.listStates())]).toEqual([
    'other-service',
    new Set(['cancelled: series']),
  ]);
  fixture.connection.isElsewhere = false;
  await instance.context.continueAtService({ workspace: 'T1', actor: 'U1' });
  await runAt('2027-02-22T12:05Z', instance);
  await runAt('2027-03-01T07:00Z', instance);
  expect(fixture.listSentTexts()).toEqual(['Hello']);
  expect((await fixture.listRows()).every(({ state }) => state !== 'needs-person')).toBe(true);
});

test('while it isn’t known at which service its project is, no posts are made', async () => {
  fixture.connection.isElsewhere = 'unknown';
  const series = await start('every monday at 9');
  await runAt('2027-02-22T12:02Z');
  expect([(await read(series.id)).state, await fixture.listStates()]).toEqual(['running', []]);
  fixture.connection.isElsewhere = false;
  await runAt('2027-02-22T13:02Z');
  expect((await fixture.listStates()).length).toBeGreaterThan(0);
});

const listUses = async (since: Date) => {
  const uses = await listHeldMedia(fixture.context, 'T1', since);
  return uses === 'unknown' ? [] : uses;
};

test('the picture of a post that waits for a person is stored after its time, for the case of a new one', async () => {
  const post = createPostAt('Hello', 0);
  const values = { ...post.values, media: 'https://example.com/door.png' };
  await fixture.hold([], { contents: [{ ...post, values }] });
  const { publishAt } = fixture;
  const listTimes = async (days: number) => {
    const since = new Date(publishAt.getTime() + days * 24 * 3_600_000);
    return [...(await listUses(since))].map(([, time]) => time);
  };
  expect([await listTimes(-7), await listTimes(7)]).toEqual([[publishAt], [undefined]]);
  await fixture.db.updateTable('held_post').set({ content: 'unreadable' }).execute();
  expect(await listHeldMedia(fixture.context, 'T1', publishAt)).toBe('unknown');
});

test('the pictures of a series are stored until its last post is out, also after an edit', async () => {
  const media = (name: string) => ({ media: `https://example.com/${name}.png` });
  const build = (text: string, name: string) => {
    const content = buildContent(text);
    const [post] = content.contents as { values: object }[];
    return { ...content, contents: [{ ...post, values: { ...post?.values, ...media(name) } }] };
  };
  const series = await create('every monday at 9');
  const list = async () =>
    [...(await listUses(fixture.context.clock.now()))]
      .map(([address, time]) => `${address.slice(20)} ${time?.toISOString() ?? 'stays'}`)
      .toSorted();
  const next = build('every year on 1 june at 9, 2 times', 'old');
  await editSeries(fixture.context, press(series), next);
  for (const time of [START, '2027-09-01T12:00Z', '2028-03-01T12:00Z']) {
    await runAt(time);
    expect((await list()).filter((line) => line.endsWith('stays'))).toEqual(['old.png stays']);
  }
  const content = build('every year on 1 june at 9, 2 times', 'new');
  await editSeries(fixture.context, press({ ...series, version: 2 }), content);
  await runAt('2028-03-01T12:01Z');
  expect(await list()).toEqual(['new.png stays', 'old.png stays']);
  // Another version of Upnext may have stored it.
  await fixture.db.updateTable('series').set({ content: 'unreadable' }).execute();
  expect(await listHeldMedia(fixture.context, 'T1', fixture.context.clock.now())).toBe('unknown');
});

describe('its card', () => {
  const readCard = async (id: string) => {
    const row = await read(id);
    return JSON.stringify(await renderSeriesCard(fixture.context, row, { now: fixture.context.clock.now() }));
  };

  test('names the next posts that go out, also those from before a change of later ones', async () => {
    const series = await start('every monday at 9');
    const [first, second, third] = await listThree();
    await cancelHeldPost(fixture.context, press(first.row));
    await moveHeldPost(fixture.context, press(second.row), {
      ...{ instant: new Date('2027-03-10T10:00Z'), isScheduled: false },
    });
    await edit({ ...press(series), from: third.row.item }, 'every tuesday at 8');
    const expectNext = async () => {
      const card = await readCard(series.id);
      expect(card).toContain('every Tuesday at 08:00 (Berlin), from Mon 15 Mar on*');
      expect(card).toMatch(
        /Next:\\n• Wed 10 Mar, 11:00 .*• Tue 16 Mar, 08:00 .*• Tue 23 Mar, .*• Tue 30 Mar, /,
      );
      expect(card).not.toMatch(/Mon 1 Mar|Tue 2 Mar|Mon 8 Mar|Tue 9 Mar/);
    };
    await expectNext();
    await runAt('2027-02-22T12:01Z');
    await expectNext();
  });

  test('names no date of the rule that has no post, because somebody has decided about its day', async () => {
    const series = await create('every monday at 9');
    expect(await readCard(series.id)).toMatch(/Next:\\n• Mon 1 Mar, 09:00 /);
    await runAt(START);
    const [first, second] = await listThree();
    await cancelHeldPost(fixture.context, press(first.row));
    const content = { ...createPostAt('Edited', 0), moment: { instant: '2027-03-08T08:00:00Z', zone: ZONE } };
    await editHeldPost(fixture.context, press(second.row), content);
    await edit(press(series), 'every monday at 10:00');
    await runAt('2027-02-22T12:01Z');
    const card = await readCard(series.id);
    expect(card).toMatch(/Next:\\n• Mon 8 Mar, 09:00 .*• Mon 15 Mar, 10:00 .*• Mon 5 Apr, 10:00 /);
    expect(card).not.toMatch(/Mon 1 Mar|Mon 8 Mar, 10:00/);
  });

  test('names a gap of one day in the singular', async () => {
    const { id } = await create('every monday at 9', { texts: ['One', 'Two'], gapDays: 1 });
    expect(await readCard(id)).toContain('2 texts in turn, none again within 1 day"');
  });

  test('of a paused series counts the posts that somebody has restored', async () => {
    const series = await start('every monday at 9');
    await pauseSeries(fixture.context, press(series));
    expect(await readCard(series.id)).toContain('None of its posts goes out until somebody resumes it.');
    const [first] = await listThree();
    await restoreCancelledPost(fixture.context, press(first.row));
    expect(await readCard(series.id)).toContain(
      'Only the post that somebody restored goes out until somebody resumes it.',
    );
  });
});
