export const MINUTE_MS = 60_000;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;
export const WEEK_MS = 7 * DAY_MS;

/**
 * This computer's clock, ms since 1970: for durations, and for programs without a database. It may be wrong by minutes.
 * What other instances or people read is on the app's `Clock` (`engine/clock.ts`). A test forbids all other clocks.
 */
export const readLocalTime = (): number => Date.now();
