import { setImmediate } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createScans } from '../../src/delivery/scans.ts';

const SOON = 1_000;
const LATER = 60_000;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'], now: 0 });
});
afterEach(() => {
  vi.useRealTimers();
});

/** Scans that the test ends by hand, with the next moment that each returns. */
function startWatchedScans() {
  const begun: number[] = [];
  let ending = Promise.withResolvers<Date>();
  const scans = createScans(
    () => new Date(),
    () => {
      begun.push(Date.now());
      ending = Promise.withResolvers();
      return ending.promise;
    },
  );
  return {
    scans,
    begun,
    async end(next = LATER) {
      ending.resolve(new Date(Date.now() + next));
      await setImmediate();
    },
  };
}

test('it scans at the start, then when the last scan asked for it, or earlier on request', async () => {
  const { scans, begun, end } = startWatchedScans();
  scans.scheduleAt(new Date());
  await vi.advanceTimersByTimeAsync(SOON);
  expect(begun).toEqual([]);
  scans.start();
  await vi.advanceTimersByTimeAsync(0);
  await end(LATER);
  await vi.advanceTimersByTimeAsync(LATER);
  await end(LATER);
  scans.scheduleAt(new Date(Date.now() + 2 * LATER));
  scans.scheduleAt(new Date(Date.now() + SOON));
  await vi.advanceTimersByTimeAsync(SOON);
  expect(begun).toEqual([SOON, SOON + LATER, 2 * SOON + LATER]);
});

test('one scan runs at a time, and requests during a scan cause one more', async () => {
  const { scans, begun, end } = startWatchedScans();
  scans.start();
  await vi.advanceTimersByTimeAsync(0);
  scans.scheduleAt(new Date());
  scans.scheduleAt(new Date());
  await vi.advanceTimersByTimeAsync(SOON);
  expect(begun).toEqual([0]);
  await end(LATER);
  expect(begun).toEqual([0, SOON]);
  await end(LATER);
  await vi.advanceTimersByTimeAsync(SOON);
  expect(begun).toEqual([0, SOON]);
});

test('stopping waits for the current scan, and no other begins', async () => {
  const { scans, begun, end } = startWatchedScans();
  scans.start();
  await vi.advanceTimersByTimeAsync(0);
  scans.scheduleAt(new Date());
  await vi.advanceTimersByTimeAsync(0);
  let isStopped = false;
  const stopping = scans.stop().then(() => {
    isStopped = true;
  });
  await setImmediate();
  expect(isStopped).toBe(false);
  await end(0);
  await stopping;
  await vi.advanceTimersByTimeAsync(LATER);
  expect(begun).toEqual([0]);
  scans.start();
  await vi.advanceTimersByTimeAsync(0);
  expect(begun).toHaveLength(2);
  await end();
  await scans.stop();
});
