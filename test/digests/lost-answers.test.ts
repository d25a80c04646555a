import { afterAll, beforeAll, expect, test } from 'vitest';
import { AGAIN, THERE } from '../../src/digests/action-ids.ts';
import { openDigestDatabase, settings, startDigests } from '../support/digest-machine.ts';
import { press } from '../support/digest-presses.ts';
import { firstCalls } from '../support/digest-slack.ts';

/** Slack doesn't answer: its message may be there or not. */

let database: Awaited<ReturnType<typeof openDigestDatabase>>;
beforeAll(async () => {
  database = await openDigestDatabase();
});
afterAll(() => database.close());

const start = (from = '2026-12-01T07:00:00Z') => startDigests(database.db, { from });
const CUT_AFTER = { kind: 'cut', commit: 'first' } as const;
const CUT_BEFORE = { kind: 'cut', commit: 'never' } as const;

test('a message that is there is found, and not posted again', async () => {
  const running = await start();
  await running.digests.save(settings(), 'UANA');
  running.trouble(firstCalls(1, 'chat.postMessage', CUT_AFTER));
  await running.runUntil('2026-12-01T12:00:00Z');
  expect(running.texts()).toHaveLength(1);
  expect(running.texts('DANA')).toEqual([]);
  expect(await running.rows()).toMatchObject([{ state: 'posted', reason: 'found' }]);
});

test('one that is not to be found is asked for, and posted again only when its owner says so', async () => {
  const running = await start();
  await running.digests.save(settings(), 'UANA');
  running.trouble(firstCalls(1, 'chat.postMessage', CUT_BEFORE));
  await running.runUntil('2026-12-01T12:00:00Z');
  expect(running.texts()).toEqual([]);
  expect(running.texts('DANA')).toEqual([expect.stringContaining('Is it there?')]);
  const [row] = await running.rows();
  expect(await press(running.digests, AGAIN, row ?? { id: '', workspace: '' })).toContain(
    'I post it again now',
  );
  await running.runUntil('2026-12-01T12:05:00Z');
  expect(running.texts()).toEqual([expect.stringContaining('asked for')]);
  expect(await press(running.digests, AGAIN, row ?? { id: '', workspace: '' })).toContain('settled');
  await running.runUntil('2026-12-01T12:10:00Z');
  expect(running.texts()).toHaveLength(1);
});

test('what its owner finds there is not posted again, and what came late is found by the press itself', async () => {
  const running = await start();
  await running.digests.save(settings(), 'UANA');
  running.trouble(firstCalls(1, 'chat.postMessage', { kind: 'cut', commit: { lateMs: 600_000 } }));
  await running.runUntil('2026-12-01T10:00:00Z');
  const [row] = await running.rows();
  running.slack.settle();
  expect(await press(running.digests, AGAIN, row ?? { id: '', workspace: '' })).toContain('found it there');
  await running.runUntil('2026-12-01T11:00:00Z');
  expect(running.texts()).toHaveLength(1);

  running.trouble(firstCalls(1, 'chat.postMessage', CUT_BEFORE));
  await running.runUntil('2026-12-02T10:00:00Z');
  const uncertain = (await running.rows()).find(({ state }) => state === 'uncertain');
  await press(running.digests, THERE, uncertain ?? { id: '', workspace: '' });
  await running.runUntil('2026-12-02T12:00:00Z');
  expect(running.texts()).toHaveLength(1);
  expect((await running.rows()).map(({ state }) => state)).toEqual(['posted', 'posted']);
});

test('without the right to look there, its owner is asked at once', async () => {
  const running = await start();
  await running.digests.save(settings(), 'UANA');
  const cut = firstCalls(1, 'chat.postMessage', CUT_AFTER);
  running.trouble((method) =>
    method === 'conversations.history' ? { kind: 'error', error: 'missing_scope' } : cut(method),
  );
  await running.runUntil('2026-12-01T08:01:00Z');
  expect(running.texts('DANA')).toEqual([expect.stringContaining('Is it there?')]);
});

test('where Slack lets us look once a minute, it waits for that', async () => {
  const running = await start();
  await running.digests.save(settings(), 'UANA');
  const [cut, limited] = [
    firstCalls(1, 'chat.postMessage', CUT_AFTER),
    firstCalls(2, 'conversations.history', { kind: 'ratelimited', seconds: 60 }),
  ];
  running.trouble((method) => cut(method) ?? limited(method));
  await running.runUntil('2026-12-01T08:05:00Z');
  expect(await running.rows()).toMatchObject([{ state: 'posted', reason: 'found' }]);
  expect(running.slack.calls['conversations.history']).toBe(3);
});

test('once it is removed nobody is asked whether it came, before and after', async () => {
  const running = await start();
  const digest = await running.digests.save(settings(), 'UANA');
  const at = { workspace: 'T1', id: digest?.id ?? '' };
  running.trouble(firstCalls(1, 'chat.postMessage', CUT_BEFORE));
  await running.runUntil('2026-12-01T12:00:00Z');
  const [row] = await running.rows();
  expect(row?.state).toBe('uncertain');
  await running.digests.remove(at);
  expect(await running.rows()).toMatchObject([{ state: 'paused', reason: 'removed', notify_at: null }]);
  expect(await press(running.digests, THERE, row ?? at)).toContain('not there any more');

  const other = await running.digests.save(settings({ channel: 'C2' }), 'UANA');
  running.trouble(firstCalls(1, 'chat.postMessage', CUT_BEFORE));
  await running.runUntil('2026-12-02T08:00:01Z');
  await running.digests.remove({ workspace: 'T1', id: other?.id ?? '' });
  await running.runUntil('2026-12-02T12:00:00Z');
  const states = (await running.rows()).map(({ state }) => state);
  expect(states).toEqual(['paused', 'paused']);
  expect(running.texts('DANA').filter((text) => text.includes('<#C2>'))).toEqual([]);
});

test('a press of a stranger’s workspace changes nothing', async () => {
  const running = await start();
  await running.digests.save(settings(), 'UANA');
  running.trouble(firstCalls(1, 'chat.postMessage', CUT_BEFORE));
  await running.runUntil('2026-12-01T12:00:00Z');
  const [row] = await running.rows();
  expect(await press(running.digests, AGAIN, { id: row?.id ?? '', workspace: 'T2' })).toContain(
    'not there any more',
  );
  expect(await running.rows()).toMatchObject([{ state: 'uncertain' }]);
});
