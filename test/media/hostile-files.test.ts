import { describe, expect, test } from 'vitest';
import { BUDGETS, type Budget, createBudget } from '../../src/budget.ts';
import { explainFailedFile } from '../../src/media/byte-input.ts';
import { readMedia } from '../../src/media/read-media.ts';
import {
  buildHeicWithPlaces,
  HEIC_DATA,
  HOSTILE_MEDIA,
  type HostileFile,
  streamFile,
} from '../support/hostile-media.ts';

/** On the clock of these tests, so much work takes a millisecond: a real step takes about a microsecond. */
const [STEPS_PER_MS, BYTES_PER_MS] = [100, 100 * 1024];
/** A turn of a reader, with the step and the piece at its end. */
const MAX_TURN_MS = 2 + 1;

/**
 * Reads a file, and returns what people read about it with the steps and bytes that it took. `longestTurnMs`: how much of
 * that was done between two turns of the event loop.
 */
async function readCounted(file: HostileFile) {
  let [steps, output, readBytes, writtenBytes] = [0, 0, 0, 0];
  const readClock = () => steps / STEPS_PER_MS + readBytes / BYTES_PER_MS;
  const budget = createBudget(BUDGETS.media, readClock);
  const counted: Budget = {
    ...budget,
    spend(count = 1) {
      steps += count;
      budget.spend(count);
    },
    produce(count) {
      output += count;
      budget.produce(count);
    },
  };
  let [lastMs, longestTurnMs, isRunning] = [0, 0, true];
  const watch = () => {
    longestTurnMs = Math.max(longestTurnMs, readClock() - lastMs);
    lastMs = readClock();
    if (isRunning) setImmediate(watch);
  };
  async function* read() {
    for (const piece of streamFile(file)) {
      readBytes += piece.length;
      yield piece;
    }
  }
  setImmediate(watch);
  const write = async (bytes: Buffer) => {
    writtenBytes += bytes.length;
  };
  const verdict = await readMedia(read(), write, counted).then(() => 'read', explainFailedFile);
  isRunning = false;
  watch();
  return { verdict, steps, output, readBytes, writtenBytes, longestTurnMs };
}

describe.each(Object.entries(HOSTILE_MEDIA))('%s', (_name, { build, verdict }) => {
  test('ends within its budget, and gives way to others', async () => {
    const read = await readCounted(build(4 * 1024 * 1024));
    expect(read.verdict).toBe(verdict);
    expect(read.steps).toBeLessThanOrEqual(BUDGETS.media.maxSteps + 1);
    expect(read.output).toBeLessThanOrEqual(BUDGETS.media.maxOutput + 1);
    expect(read.longestTurnMs).toBeLessThanOrEqual(MAX_TURN_MS);
    // What reading adds is a few bytes, never a copy of what was read.
    expect(read.writtenBytes).toBeLessThanOrEqual(read.readBytes + 1_000);
  });

  test('takes steps in proportion to its length', async () => {
    const [one, four] = [await readCounted(build(100_000)), await readCounted(build(400_000))];
    expect(four.steps).toBeLessThanOrEqual(4 * one.steps + 10);
  });
});

test('a GIF of 25,000 frames and a PNG of 100 MB in chunks of 4 KB are within the budget', async () => {
  const frame = Buffer.from([
    0x21, 0xf9, 4, 0, 0, 0, 0, 0, 0x2c, 0, 0, 0, 0, 2, 0, 2, 0, 0, 2, 2, 0x4c, 1, 0,
  ]);
  const gif = {
    start: Buffer.from('GIF89a\x02\0\x02\0\0\0\0', 'latin1'),
    part: frame,
    bytes: 25_000 * frame.length,
    end: Buffer.from([0x3b]),
  };
  const { verdict, steps } = await readCounted(gif);
  expect([verdict, steps]).toEqual(['read', expect.closeTo(175_000, -3)]);
  expect(25_000 * 2).toBeLessThan(BUDGETS.media.maxSteps);
});

test('a HEIC loses its camera data in places that overlap, and keeps all others', async () => {
  const dataAt = buildHeicWithPlaces(Array.from({ length: 4 }, () => [1, 1])).start.length - HEIC_DATA.length;
  const places = [
    [500, 200],
    [100, 50],
    [120, 100],
    [600, 10],
  ] as const;
  const file = buildHeicWithPlaces(places.map(([start, length]) => [dataAt + start, length]));
  const copied: Buffer[] = [];
  const copy = async (bytes: Buffer) => void copied.push(bytes);
  await readMedia(
    (async function* () {
      yield* streamFile(file, 333);
    })(),
    copy,
    createBudget(BUDGETS.media),
  );
  const expected = Buffer.from(HEIC_DATA).fill(0, 100, 220).fill(0, 500, 700);
  expect(Buffer.concat(copied).subarray(dataAt).equals(expected)).toBe(true);
});
