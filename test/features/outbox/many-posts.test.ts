import type { ServerResponse } from 'node:http';
import { describe, expect, test } from 'vitest';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../src/durations.ts';
import { SENT_REASONS } from '../../../src/posts/state-copy.ts';
import {
  FINAL_STATES,
  STATES,
  type SubmissionRow,
  UNKNOWN_COUNT,
} from '../../../src/submissions/submission.ts';
import { NOW } from '../../support/bot.ts';
import { openFilledForm, submitAndClose } from '../../support/filled-form.ts';
import { copyPosts, followSubmissions } from '../../support/posts-of-submissions.ts';
import { data, invalid, json } from '../../support/scripted-service.ts';
import { watchSent } from '../../support/sent-to-slack.ts';
import { FAST_RETRIES, setUpBot } from '../../support/set-up-bot.ts';
import { ask, pressAndSee, seeAll } from '../../support/steps.ts';

const { ana, database, running, startBot } = setUpBot();

const listRows = () => database.db.selectFrom('submission').selectAll().orderBy('publish_at').execute();
const sortByTime = (one: Record<string, unknown>, other: Record<string, unknown>) =>
  String(one.ScheduleDate) < String(other.ScheduleDate) ? -1 : 1;
const listStates = async () => (await listRows()).map(({ state }) => state);

/** Submits posts as Ana while the service is down. The poll sends them. */
async function submitWaitingPosts(when: string, count: number) {
  running.service.on('GET /posts', json(503, {}));
  await submitAndClose(running, { when });
  await expect.poll(listStates).toEqual(Array(count).fill('retryable'));
}

test('many posts that may have arrived are one message, although the poll finds out about each', async () => {
  const pace = { ...FAST_RETRIES, questionGroupMs: DAY_MS };
  await startBot({ pace, maxGroupMs: DAY_MS, scanIntervalMs: 100 });
  await submitWaitingPosts('1 Dec 9am, 10am, 11am, noon and 1pm', 5);
  running.service.on('POST /posts', json(500, {}));
  running.service.on('GET /posts', invalid({ loc: ['query'], msg: 'is unknown' }));
  await expect.poll(listStates).toEqual(Array(5).fill('unsure'));
  const times = (await listRows()).map(({ notify_at }) => notify_at?.getTime() ?? 0);
  expect(new Set(times).size).toBe(1);
  expect(times[0]).toBeGreaterThan(Date.now());
  const [first] = await listRows();
  const unreadable = { content: 'unreadable' };
  await database.db
    .updateTable('submission')
    .set(unreadable)
    .where('id', '=', first?.id ?? '')
    .execute();
  // The end of the period.
  await database.db.updateTable('submission').set({ notify_at: new Date() }).execute();
  const dm = await running.workspace.as('Ana').inDirectMessage();
  await dm.sees('5 posts need a decision, each for this reason:\nThe service didn’t confirm it');
  expect(dm.messages()).toHaveLength(1);
});

test('each of many refused posts is told with its own reason', async () => {
  // Slack would limit the messages to one a second.
  await startBot({ pace: FAST_RETRIES, scanIntervalMs: 100, limits: false });
  await submitWaitingPosts('1 Dec 9am, 10am, 11am and noon', 4);
  let count = 0;
  running.service.on('POST /posts', (call, response) =>
    invalid({ loc: ['body', 'Content'], msg: `is wrong ${count++}` })(call, response),
  );
  running.service.on('GET /posts', data([]));
  const dm = await running.workspace.as('Ana').inDirectMessage();
  for (const index of [0, 1, 2, 3]) await dm.sees(`is wrong ${index}`);
  await expect.poll(() => dm.messages().length).toBe(4);
  expect(dm.read()).not.toContain('each for this reason');
});

describe('[Send all again]', () => {
  /** Stores posts of Ana's that wait for her, and opens her outbox. */
  async function openOutbox(changes: readonly Partial<SubmissionRow>[], pace = {}) {
    await startBot({ pace, scanIntervalMs: 100 });
    const when = changes.map((_, index) => `${index + 1}pm`).join(', ');
    await (await openFilledForm(running, { when: `1 Dec ${when}` })).form.submit();
    await expect.poll(listStates).toEqual(changes.map(() => 'confirmed'));
    await ana.sees('posts scheduled');
    const rows = await listRows();
    for (const [index, change] of changes.entries())
      await database.db
        .updateTable('submission')
        .set({ maybe_sent: true, baseline: 0, service_id: null, awaits_publication: false, ...change })
        .where('id', '=', rows[index]?.id ?? '')
        .execute();
    await followSubmissions(database.db);
    const sentBefore = running.service.created().length;
    await ask(ana, '/upnext outbox', 'again]');
    return { rows, countSent: () => running.service.created().length - sentBefore };
  }
  const notFound = { state: 'unsure', reason: 'not-found' } as const;
  const pressAll = (label: string) => ana.press(label, { dialog: 'confirm' });

  test('sends the posts that aren’t there, the first to go out first', async () => {
    const { countSent } = await openOutbox([notFound, notFound, notFound]);
    await pressAll('Send all 3 again');
    await ana.sees('Nothing else pending.');
    expect(countSent()).toBe(3);
    const times = running.service
      .created()
      .slice(-3)
      .map(({ ScheduleDate: time }) => String(time));
    expect(times).toEqual(times.toSorted());
  });

  test('pressed twice, sends no post for which an equal one was found meanwhile', async () => {
    const change = { ...notFound, baseline: UNKNOWN_COUNT };
    const { countSent } = await openOutbox([change, change]);
    await ana.type('/upnext outbox');
    await expect.poll(() => ana.read().split('[Send all 2 again]').length).toBe(3);
    const [second] = running.service.created().toSorted(sortByTime).toReversed();
    const lookups: ServerResponse[] = [];
    running.service.on('GET /posts', (_call, response) => void lookups.push(response));
    await pressAll('Send all 2 again');
    await expect.poll(() => lookups.length).toBe(1);
    running.service.on('GET /posts', data([second]));
    await ana.sees('I’ve begun to send them again.');
    await pressAll('Send all 2 again');
    await ana.sees('The service lists a post like yours');
    expect(countSent()).toBe(0);
    lookups[0]?.writeHead(200, { 'content-type': 'application/json' });
    lookups[0]?.end(JSON.stringify({ data: [], success: true }));
    await ana.seesNoLonger('I’ve begun to send them again.');
    await ana.sees('Scheduled ·');
    expect(countSent()).toBe(1);
  });

  test('sends nothing that the list didn’t offer', async () => {
    const { rows, countSent } = await openOutbox([
      { state: 'gave-up', maybe_sent: false },
      { state: 'gave-up', maybe_sent: false },
      { state: 'unknown' },
    ]);
    await ana.sees('[Send all 2 again]');
    await database.db
      .updateTable('submission')
      .set(notFound)
      .where('id', '=', rows[2]?.id ?? '')
      .execute();
    await followSubmissions(database.db);
    await pressAll('Send all 2 again');
    await ana.sees('I couldn’t find your post');
    expect(countSent()).toBe(2);
  });

  test('shows all results in the list, and sends no message of each', async () => {
    await openOutbox([notFound, notFound, notFound], { notificationDelayMs: MINUTE_MS });
    const { promise: lastMayEnd, resolve: endLast } = Promise.withResolvers<void>();
    let count = 0;
    running.service.on('POST /posts', async (call, response) => {
      count += 1;
      if (count === 3) await lastMayEnd;
      void data({ Id: 'made' })(call, response);
    });
    await pressAll('Send all 3 again');
    await expect.poll(listStates).toEqual(['confirmed', 'confirmed', 'sending']);
    // The first result waits for the others, however long each takes.
    const [first] = await listRows();
    const waitMs = (first?.notify_at?.getTime() ?? 0) - (first?.changed_at.getTime() ?? 0);
    expect(waitMs).toBe(3 * MINUTE_MS);
    endLast();
    await ana.sees('Nothing else pending.');
    await expect
      .poll(async () => (await listRows()).map(({ notify_at }) => notify_at))
      .toEqual([null, null, null]);
    expect((await running.workspace.as('Ana').inDirectMessage()).read()).not.toContain('Scheduled ·');
  });

  test('ends at a post without a result, and says so', async () => {
    const { countSent } = await openOutbox([notFound, notFound, notFound]);
    running.service.on('POST /posts', json(500, 'oops'));
    await pressAll('Send all 3 again');
    await seeAll(ana, 'One of them isn’t confirmed, so I stopped there.', '[Send all 2 again]');
    expect(countSent()).toBe(1);
  });
});

/** Slack’s limit for a message: https://docs.slack.dev/reference/block-kit/blocks */
const MAX_BLOCKS = 50;

const states = STATES.filter((state) => !FINAL_STATES.includes(state));
const cases = [
  ...states.map((state) => ({ state, reason: null })),
  ...Object.entries(SENT_REASONS).flatMap(([reason, { state }]) =>
    FINAL_STATES.some((final) => final === state)
      ? []
      : [{ state, reason: reason as keyof typeof SENT_REASONS }],
  ),
];

test('the largest page of the outbox fits into a message in every state', async () => {
  await startBot({ startTime: NOW, scanIntervalMs: 3_600_000 });
  running.service.on('POST /posts', invalid({ loc: ['body', 'Content'], msg: 'is too loud' }));
  const { form } = await openFilledForm(running);
  await form.submit();
  await form.close();
  const { id, ...row } = await database.db.selectFrom('submission').selectAll().executeTakeFirstOrThrow();
  const { id: original } = await database.db.selectFrom('post').select('id').executeTakeFirstOrThrow();
  const counts = new Map<string, number>();
  // Nothing is sent when the outbox opens.
  running.service.on('GET /posts', json(503, {}));
  for (const { state, reason } of cases) {
    const copy = (index: number, change: Partial<SubmissionRow>): SubmissionRow => ({
      ...{ ...row, id: `${id}-${index}`, origin: `${row.origin}-${index}`, next_at: null, lease_until: null },
      ...{ state, reason, publish_at: NOW, changed_at: new Date(Date.now() - 2 * HOUR_MS), notify_at: null },
      ...{ lock_key: null, locked: false },
      ...change,
    });
    // The second page has one of Ana's own entries, seven of Ben's, and both notes that a last page can have.
    const own = Array.from({ length: 21 }, (_, index) =>
      copy(
        index,
        index < 9 ? {} : { state: 'from-later' as SubmissionRow['state'], created_at: new Date(0) },
      ),
    );
    const others = Array.from({ length: 7 }, (_, index) => copy(index + 21, { author: 'U02BENOKAF' }));
    await database.db.deleteFrom('submission').execute();
    await database.db
      .insertInto('submission')
      .values([...own, ...others])
      .execute();
    // Only the original: a pattern among the copies of the round before would be copied under its own id.
    await database.db.updateTable('post').set({ submission: id }).where('id', '=', original).execute();
    await copyPosts(database.db, id, [...own, ...others]);
    await followSubmissions(database.db);
    const watched = watchSent({
      onSent({ payload: { blocks } }) {
        const length = typeof blocks === 'string' ? JSON.parse(blocks).length : (blocks as [])?.length;
        const name = `${state} ${reason}`;
        counts.set(name, Math.max(counts.get(name) ?? 0, length ?? 0));
      },
    });
    await ana.type('/upnext outbox');
    await pressAndSee(ana, 'Next page', '9 to 16 of at least 27', 'You have more submissions.');
    watched.stop();
  }
  expect(counts.size).toBe(cases.length);
  for (const [name, count] of counts) expect([name, count <= MAX_BLOCKS]).toEqual([name, true]);
  expect(Math.max(...counts.values())).toBeGreaterThan(MAX_BLOCKS - 12);
});
