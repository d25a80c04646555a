import { expect, test } from 'vitest';
import { setUpBotDatabase } from '../support/set-up-database.ts';
import { settings, startDigests } from '../support/start-digests.ts';

const database = await setUpBotDatabase();

const OWNER_COUNT = 60;
const SLOW_MS = 3_000;

test('while Slack is slow, a second instance doesn’t notify the same owners again', async () => {
  const running = await startDigests(database.db, { from: '2026-12-01T07:00:00Z' });
  for (let owner = 0; owner < OWNER_COUNT; owner += 1) {
    await running.digests.save(settings({ channel: `C${owner}` }), `U${owner}`);
  }
  running.sleepUntil('2026-12-02T07:00:00Z');
  const otherInstance = running.createWithClock(running.now);
  let messageCount = 0;
  let otherScans: Promise<unknown> = Promise.resolve();
  running.setFault((method) => {
    if (method !== 'chat.postMessage') return undefined;
    messageCount += 1;
    running.sleepUntil(new Date(running.now().getTime() + SLOW_MS).toISOString());
    if (messageCount % 25 === 0) otherScans = Promise.all([otherScans, otherInstance.runOnce()]);
    return undefined;
  });
  await running.runUntil('2026-12-02T07:30:00Z');
  await otherScans;
  const notifiedChannels = running.slack.messages.map(({ channel }) => channel).toSorted();
  expect(notifiedChannels).toHaveLength(OWNER_COUNT);
  expect(new Set(notifiedChannels).size).toBe(OWNER_COUNT);
});

/** Sends a notification while Slack responds with these faults in turn. Returns the notifications that the owner gets. */
async function notifyWithFaults(faults: Parameters<typeof startDigests>[1]['fault'][]): Promise<string[]> {
  const running = await startDigests(database.db, { from: '2026-12-01T05:00:00Z' });
  await running.digests.save(settings({ time: { hour: 7, minute: 0 } }), 'UANA');
  running.sleepUntil('2026-12-01T18:30:00Z');
  running.setFault((method) => (method === 'chat.postMessage' ? faults.shift()?.(method) : undefined));
  await running.runUntil('2026-12-02T05:00:00Z');
  return running.texts('DANA');
}
const REFUSED = { kind: 'error', error: 'invalid_blocks' } as const;
const NO_ACCESS = { kind: 'error', error: 'token_revoked' } as const;
const CUT = { kind: 'cut', commit: 'never' } as const;

test('a notification that Slack refuses for good is sent once and then given up', async () => {
  const faults = [() => REFUSED, () => REFUSED];
  expect(await notifyWithFaults(faults)).toEqual([]);
  expect(faults).toHaveLength(1);
});

test('a notification whose answer was lost is looked for, so the owner reads it once', async () => {
  expect(await notifyWithFaults([() => ({ kind: 'cut', commit: 'first' })])).toEqual([
    expect.stringMatching(/^Not sent/),
  ]);
});

test('owners are notified once Slack accepts the token again, even after several days', async () => {
  const faults = Array.from({ length: 8 }, () => [() => CUT, () => NO_ACCESS]).flat();
  expect(await notifyWithFaults(faults)).toEqual([expect.stringMatching(/^Not sent/)]);
});

test('many owners are notified once each, with only a few calls to Slack at a time', async () => {
  const running = await startDigests(database.db, { from: '2026-12-01T07:00:00Z' });
  for (let owner = 0; owner < OWNER_COUNT; owner += 1) {
    await running.digests.save(settings({ channel: `C${owner}` }), `U${owner}`);
  }
  let openCount = 0;
  let maxOpenCount = 0;
  running.delayMessages(async () => {
    openCount += 1;
    maxOpenCount = Math.max(maxOpenCount, openCount);
    await new Promise((resolve) => setTimeout(resolve, 5));
    openCount -= 1;
  });
  running.sleepUntil('2026-12-02T07:00:00Z');
  await Promise.all([running.digests.runOnce(), running.digests.runOnce(), running.digests.runOnce()]);
  await running.runUntil('2026-12-02T07:30:00Z');
  expect(running.slack.messages).toHaveLength(OWNER_COUNT);
  expect(maxOpenCount).toBeGreaterThan(1);
  expect(maxOpenCount).toBeLessThanOrEqual(8);
});
