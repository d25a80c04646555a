import { expect, test } from 'vitest';
import { CONFIRM_SENT, SEND_AGAIN } from '../../src/digests/messages/notices.ts';
import { press } from '../support/digest-presses.ts';
import { failFirstCalls } from '../support/digest-slack.ts';
import { setUpBotDatabase } from '../support/set-up-database.ts';
import { settings, startDigests } from '../support/start-digests.ts';

const database = await setUpBotDatabase();

const start = (from = '2026-12-01T07:00:00Z') => startDigests(database.db, { from });
const LOST_RESPONSE = { kind: 'cut', commit: 'first' } as const;
const LOST_REQUEST = { kind: 'cut', commit: 'never' } as const;

test('a message whose response was lost is found if Slack has it, and isn’t sent again', async () => {
  const running = await start();
  await running.digests.save(settings(), 'UANA');
  running.setFault(failFirstCalls(1, 'chat.postMessage', LOST_RESPONSE));
  await running.runUntil('2026-12-01T12:00:00Z');
  expect(running.texts()).toHaveLength(1);
  expect(running.texts('DANA')).toEqual([]);
  expect(await running.rows()).toMatchObject([{ state: 'sent' }]);
});

test('the owner is asked about a message that isn’t found, and it is sent again only on the owner’s request', async () => {
  const running = await start();
  await running.digests.save(settings(), 'UANA');
  running.setFault(failFirstCalls(1, 'chat.postMessage', LOST_REQUEST));
  await running.runUntil('2026-12-01T12:00:00Z');
  expect(running.texts()).toEqual([]);
  expect(running.texts('DANA')).toEqual([expect.stringContaining('Is it there?')]);
  const [row] = await running.rows();
  expect(await press(running.digests, SEND_AGAIN, row ?? { id: '', workspace: '' })).toContain(
    'sending it again now',
  );
  await running.runUntil('2026-12-01T12:05:00Z');
  expect(running.texts()).toEqual([expect.stringContaining('asked for')]);
  expect(await press(running.digests, SEND_AGAIN, row ?? { id: '', workspace: '' })).toContain('settled');
  await running.runUntil('2026-12-01T12:10:00Z');
  expect(running.texts()).toHaveLength(1);
});

test('a message isn’t sent again if its owner confirms that it was sent, or if Slack has it when the owner presses “Send again”', async () => {
  const running = await start();
  await running.digests.save(settings(), 'UANA');
  running.setFault(failFirstCalls(1, 'chat.postMessage', { kind: 'cut', commit: { lateMs: 600_000 } }));
  await running.runUntil('2026-12-01T10:00:00Z');
  const [row] = await running.rows();
  running.slack.applyLateWork();
  expect(await press(running.digests, SEND_AGAIN, row ?? { id: '', workspace: '' })).toContain(
    'I found it after all',
  );
  await running.runUntil('2026-12-01T11:00:00Z');
  expect(running.texts()).toHaveLength(1);

  running.setFault(failFirstCalls(1, 'chat.postMessage', LOST_REQUEST));
  await running.runUntil('2026-12-02T10:00:00Z');
  const uncertainRow = (await running.rows()).find(({ state }) => state === 'uncertain');
  await press(running.digests, CONFIRM_SENT, uncertainRow ?? { id: '', workspace: '' });
  await running.runUntil('2026-12-02T12:00:00Z');
  expect(running.texts()).toHaveLength(1);
  expect((await running.rows()).map(({ state }) => state)).toEqual(['sent', 'sent']);
});

test('if the workspace declined the permission to read channels, the owner is asked about a lost response at once', async () => {
  const running = await start();
  await running.digests.save(settings(), 'UANA');
  const cutResponse = failFirstCalls(1, 'chat.postMessage', LOST_RESPONSE);
  running.setFault((method) =>
    method === 'conversations.history' ? { kind: 'error', error: 'missing_scope' } : cutResponse(method),
  );
  await running.runUntil('2026-12-01T08:01:00Z');
  expect(running.texts('DANA')).toEqual([
    'Slack didn’t answer when I sent the digest of Tue 1 Dec, 09:00 (Berlin) (<#C1>, daily at 09:00 (Berlin)), and I can’t look for it there. Is it there?',
  ]);
  expect(await running.rows()).toMatchObject([{ state: 'uncertain', reason: 'not-searched' }]);
  await running.runUntil('2026-12-01T20:00:00Z');
  expect(running.texts()).toHaveLength(1);
});

test('the search for a message waits as long as Slack’s rate limit requires', async () => {
  const running = await start();
  await running.digests.save(settings(), 'UANA');
  const [cutResponse, rateLimit] = [
    failFirstCalls(1, 'chat.postMessage', LOST_RESPONSE),
    failFirstCalls(2, 'conversations.history', { kind: 'ratelimited', seconds: 60 }),
  ];
  running.setFault((method) => cutResponse(method) ?? rateLimit(method));
  await running.runUntil('2026-12-01T08:05:00Z');
  expect(await running.rows()).toMatchObject([{ state: 'sent' }]);
  expect(running.slack.calls['conversations.history']).toBe(3);
});

test('nobody is asked about the messages of a digest that was removed', async () => {
  const running = await start();
  const digest = await running.digests.save(settings(), 'UANA');
  const key = { workspace: 'T1', id: digest?.id ?? '' };
  running.setFault(failFirstCalls(1, 'chat.postMessage', LOST_REQUEST));
  await running.runUntil('2026-12-01T12:00:00Z');
  const [row] = await running.rows();
  expect(row?.state).toBe('uncertain');
  await running.digests.remove(key);
  expect(await running.rows()).toMatchObject([{ state: 'paused', notify_at: null }]);
  expect(await press(running.digests, CONFIRM_SENT, row ?? key)).toContain('no longer exists');

  const otherDigest = await running.digests.save(settings({ channel: 'C2' }), 'UANA');
  running.setFault(failFirstCalls(1, 'chat.postMessage', LOST_REQUEST));
  await running.runUntil('2026-12-02T08:00:01Z');
  await running.digests.remove({ workspace: 'T1', id: otherDigest?.id ?? '' });
  await running.runUntil('2026-12-02T12:00:00Z');
  const states = (await running.rows()).map(({ state }) => state);
  expect(states).toEqual(['paused', 'paused']);
  expect(running.texts('DANA').filter((text) => text.includes('<#C2>'))).toEqual([]);
});

test('a button pressed in another workspace changes nothing', async () => {
  const running = await start();
  await running.digests.save(settings(), 'UANA');
  running.setFault(failFirstCalls(1, 'chat.postMessage', LOST_REQUEST));
  await running.runUntil('2026-12-01T12:00:00Z');
  const [row] = await running.rows();
  expect(await press(running.digests, SEND_AGAIN, { id: row?.id ?? '', workspace: 'T2' })).toContain(
    'no longer exists',
  );
  expect(await running.rows()).toMatchObject([{ state: 'uncertain' }]);
});
