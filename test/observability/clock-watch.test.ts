import { expect, test } from 'vitest';
import { createClockWatch } from '../../src/observability/clock-watch.ts';

function createWatch() {
  let now = 0;
  const lines: object[] = [];
  const write = (fields: object) => void lines.push(fields);
  const log = { debug: write, info: write, warn: write, error: write };
  const watch = createClockWatch(log, () => now);
  const pass = (ms: number) => {
    now += ms;
  };
  return { watch, lines, pass };
}

test('a clock that is a few seconds off is no matter', () => {
  const { watch, lines } = createWatch();
  watch.observe('database', -900);
  watch.observe('slack', 2_000);
  expect(lines).toEqual([]);
  expect(watch.getAheadMs('database')).toBe(-900);
});

test('a difference is logged once in ten minutes, with that from the other clock, so that it’s clear which one is wrong', () => {
  const { watch, lines, pass } = createWatch();
  watch.observe('slack', 300);
  watch.observe('database', -300_000);
  watch.observe('database', -300_000);
  expect(lines).toEqual([{ secondsAheadOf: { slack: 0, database: -300 } }]);
  pass(10 * 60_000);
  watch.observe('database', -300_000);
  expect(lines).toHaveLength(2);
});

test('a difference that comes back is logged at once', () => {
  const { watch, lines } = createWatch();
  watch.observe('slack', 1_200_000);
  watch.observe('slack', 0);
  watch.observe('slack', 1_200_000);
  expect(lines).toHaveLength(2);
});
