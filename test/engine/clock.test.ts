import { expect, test } from 'vitest';
import { createClock } from '../../src/engine/clock.ts';
import { setUpBotDatabase } from '../support/set-up-database.ts';

const database = await setUpBotDatabase();

const TEN_MINUTES_MS = 600_000;
const DAY_MS = 86_400_000;

/** A computer's clock that is ten minutes ahead. Each measurement takes `roundTripMs`. */
function createFastClock(roundTripMs: () => number) {
  let readCount = 0;
  return () => {
    readCount += 1;
    // A measurement reads the clock at its start and at its end.
    return Date.now() + TEN_MINUTES_MS + (readCount % 2 === 0 ? roundTripMs() : 0);
  };
}

test('a clock that is ten minutes ahead shows the time of the database', async () => {
  const clock = createClock({ db: database.db, readLocalTime: () => Date.now() + TEN_MINUTES_MS });
  expect(await clock.measure()).toBe(true);
  expect(Math.abs(clock.readShared().getTime() - Date.now())).toBeLessThan(1_500);
});

test('a first measurement that took 1.5 s isn’t good, so nothing may be claimed until the next', async () => {
  let roundTripMs = 1_500;
  const clock = createClock({ db: database.db, readLocalTime: createFastClock(() => roundTripMs) });
  expect(await clock.measure()).toBe(false);
  roundTripMs = 0;
  expect(await clock.measure()).toBe(true);
  expect(Math.abs(clock.readShared().getTime() - Date.now())).toBeLessThan(1_500);
});

test('what people see is ahead of the database by the practice offset', () => {
  const time = Date.parse('2026-11-20T12:00:00Z');
  const clock = createClock({ db: database.db, readLocalTime: () => time, getOffsetMs: () => DAY_MS });
  expect(clock.readShared()).toEqual(new Date(time));
  expect(clock.now()).toEqual(new Date(time + DAY_MS));
  expect(clock.toShared(clock.now())).toEqual(clock.readShared());
});
