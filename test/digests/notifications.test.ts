import { afterAll, beforeAll, expect, test } from 'vitest';
import { openDigestDatabase, settings, startDigests } from '../support/digest-machine.ts';

let database: Awaited<ReturnType<typeof openDigestDatabase>>;
beforeAll(async () => {
  database = await openDigestDatabase();
});
afterAll(() => database.close());

const OWNERS = 60;
const SLOW_MS = 3_000;

test('while Slack is slow, no second instance notifies the same owners', async () => {
  const running = await startDigests(database.db, { from: '2026-12-01T07:00:00Z' });
  for (let owner = 0; owner < OWNERS; owner += 1) {
    await running.digests.save(settings({ channel: `C${owner}` }), `U${owner}`);
  }
  running.sleepUntil('2026-12-02T07:00:00Z');
  const other = running.createWithClock(running.now);
  let messageCount = 0;
  let otherScans: Promise<unknown> = Promise.resolve();
  running.setFault((method) => {
    if (method !== 'chat.postMessage') return undefined;
    messageCount += 1;
    running.sleepUntil(new Date(running.now().getTime() + SLOW_MS).toISOString());
    if (messageCount % 25 === 0) otherScans = Promise.all([otherScans, other.turn()]);
    return undefined;
  });
  await running.runUntil('2026-12-02T07:30:00Z');
  await otherScans;
  const direct = running.slack.messages.map(({ channel }) => channel).toSorted();
  expect(direct).toHaveLength(OWNERS);
  expect(new Set(direct).size).toBe(OWNERS);
});

/** Sends a notice while Slack's responses have these faults in turn. Resolves with the notices that with owner gets. */
async function sendNoticesThrough(faults: Parameters<typeof startDigests>[1]['fault'][]): Promise<string[]> {
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

test('a notice that Slack refuses once is sent a little later', async () => {
  expect(await sendNoticesThrough([() => REFUSED])).toEqual([expect.stringMatching(/^Not posted/)]);
});

test('owners are notified once Slack accepts the token again, however long that takes', async () => {
  const days = Array.from({ length: 8 }, () => [() => CUT, () => NO_ACCESS]).flat();
  expect(await sendNoticesThrough(days)).toEqual([expect.stringMatching(/^Not posted/)]);
});

test('many owners are notified once each, with only a few calls to Slack at a time', async () => {
  const running = await startDigests(database.db, { from: '2026-12-01T07:00:00Z' });
  for (let owner = 0; owner < OWNERS; owner += 1) {
    await running.digests.save(settings({ channel: `C${owner}` }), `U${owner}`);
  }
  let open = 0;
  let maxOpen = 0;
  running.delayMessages(async () => {
    open += 1;
    maxOpen = Math.max(maxOpen, open);
    await new Promise((done) => setTimeout(done, 5));
    open -= 1;
  });
  running.sleepUntil('2026-12-02T07:00:00Z');
  await Promise.all([running.digests.turn(), running.digests.turn(), running.digests.turn()]);
  await running.runUntil('2026-12-02T07:30:00Z');
  expect(running.slack.messages).toHaveLength(OWNERS);
  expect(maxOpen).toBeGreaterThan(1);
  expect(maxOpen).toBeLessThanOrEqual(8);
});
