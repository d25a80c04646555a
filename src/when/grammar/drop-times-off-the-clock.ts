import type { Refiner } from 'chrono-node';

/** Chrono reads any two figures of an ISO time, and 25:00 would be carried over to one o'clock on the next day. */
export const dropTimesOffTheClock: Refiner = {
  refine: (_context, results) =>
    results.filter(({ start }) => {
      const [hour, minute, second] = [start.get('hour'), start.get('minute'), start.get('second')];
      const isOnClock = (hour ?? 0) < 24 && (minute ?? 0) < 60 && (second ?? 0) < 60;
      // ISO 8601 calls the end of a day 24:00.
      return isOnClock || (hour === 24 && (minute ?? 0) === 0 && (second ?? 0) === 0);
    }),
};
