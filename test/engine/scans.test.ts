import { setImmediate } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createScans } from '../../src/engine/scans.ts';

const SOON_MS = 1_000;
const LATER_MS = 60_000;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'], now: 0 });
});
afterEach(() => {
  vi.useRealTimers();
});

/** Creates scans. Each scan ends when the test calls `endScan` with the delay until the next scan. */
function createManualScans() {
  const startTimes: number[] = [];
  let scan = Promise.withResolvers<Date>();
  const scans = createScans(
    () => new Date(),
    () => {
      startTimes.push(Date.now());
      scan = Promise.withResolvers();
      return scan.promise;
    },
  );
  return {
    scans,
    startTimes,
    async endScan(nextMs = LATER_MS) {
      scan.resolve(new Date(Date.now() + nextMs));
      await setImmediate();
    },
  };
}

test('scans run at the start, then at the time that the last scan returned, or earlier on request', async () => {
  const { scans, startTimes, endScan } = createManualScans();
  scans.scheduleAt(new Date());
  await vi.advanceTimersByTimeAsync(SOON_MS);
  expect(startTimes).toEqual([]);
  scans.start();
  await vi.advanceTimersByTimeAsync(0);
  await endScan(LATER_MS);
  await vi.advanceTimersByTimeAsync(LATER_MS);
  await endScan(LATER_MS);
  scans.scheduleAt(new Date(Date.now() + 2 * LATER_MS));
  scans.scheduleAt(new Date(Date.now() + SOON_MS));
  await vi.advanceTimersByTimeAsync(SOON_MS);
  expect(startTimes).toEqual([SOON_MS, SOON_MS + LATER_MS, 2 * SOON_MS + LATER_MS]);
});

test('one scan runs at a time, and requests during a scan cause one more', async () => {
  const { scans, startTimes, endScan } = createManualScans();
  scans.start();
  await vi.advanceTimersByTimeAsync(0);
  scans.scheduleAt(new Date());
  scans.scheduleAt(new Date());
  await vi.advanceTimersByTimeAsync(SOON_MS);
  expect(startTimes).toEqual([0]);
  await endScan(LATER_MS);
  expect(startTimes).toEqual([0, SOON_MS]);
  await endScan(LATER_MS);
  await vi.advanceTimersByTimeAsync(SOON_MS);
  expect(startTimes).toEqual([0, SOON_MS]);
});

test('stopping waits for the current scan, and no other scan begins', async () => {
  const { scans, startTimes, endScan } = createManualScans();
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
  await endScan(0);
  await stopping;
  await vi.advanceTimersByTimeAsync(LATER_MS);
  expect(startTimes).toEqual([0]);
  scans.start();
  await vi.advanceTimersByTimeAsync(0);
  expect(startTimes).toHaveLength(2);
  await endScan();
  await scans.stop();
});
