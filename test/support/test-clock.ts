import { addMs, type Clock } from '../../src/engine/clock.ts';

/**
 * Creates a clock that shows the times of a test. `readShared` stands for the database's clock, `now` for the clock that
 * people see, which defaults to the same.
 */
export function createTestClock(readShared: () => Date, now = readShared): Clock {
  return {
    readShared,
    now,
    toShared: (time) => addMs(readShared(), time.getTime() - now().getTime()),
    measure: async () => true,
  };
}
