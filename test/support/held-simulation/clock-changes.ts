import { IANAZone } from 'luxon';
import type { Random } from '../random.ts';

const [MINUTE_MS, HOUR_MS] = [60_000, 3_600_000];

/** 20 zones whose clocks change in March or April 2026, at different times and on six different days. */
export const ZONES = [
  ...['Europe/Berlin', 'Europe/London', 'Europe/Lisbon', 'Europe/Athens', 'Africa/Casablanca'],
  ...['America/New_York', 'America/Chicago', 'America/Denver', 'America/Los_Angeles', 'America/Halifax'],
  ...['America/St_Johns', 'America/Havana', 'America/Santiago', 'Asia/Beirut', 'Australia/Sydney'],
  ...['Australia/Lord_Howe', 'Pacific/Auckland', 'Pacific/Chatham', 'Asia/Jerusalem', 'Africa/Cairo'],
];
const [SEARCH_START, SEARCH_END] = [Date.parse('2026-03-01T00:00:00Z'), Date.parse('2026-06-01T00:00:00Z')];
/** The changes that were found, because the search is slow. */
const clockChanges: Record<string, number> = {};
/** People choose times on this grid. */
export const GRID_MS = 5 * MINUTE_MS;
/** Time during which the simulation runs before the first post of a day, in long steps, and after the last one. */
const [BEFORE_MS, AFTER_MS] = [26 * HOUR_MS, 3 * HOUR_MS];
const LONG_STEP_MS = 2 * HOUR_MS;

/** Finds the time at which the clocks of a zone change. */
export function findClockChange(zone: string): number {
  const { [zone]: known } = clockChanges;
  if (known !== undefined) return known;
  const place = IANAZone.create(zone);
  for (let time = SEARCH_START; time < SEARCH_END; time += HOUR_MS)
    if (place.offset(time) !== place.offset(time + HOUR_MS)) {
      clockChanges[zone] = time + HOUR_MS;
      return time + HOUR_MS;
    }
  throw new Error(`the clocks of ${zone} don't change`);
}

/** Draws a time on the grid, at most `aroundMs` before or after the change of a zone's clocks. */
export function drawTimeAroundChange(random: Random, change: number, aroundMs: number): number {
  const steps = (2 * aroundMs) / GRID_MS;
  return Math.round(change / GRID_MS) * GRID_MS - aroundMs + random.drawInteger(steps) * GRID_MS;
}

/**
 * Lists the times at which instances run, in ascending order: the grid while posts go out, and every two hours on the
 * day before. The clock skips the weeks between the changes.
 */
export function listRunTimes(publishTimes: readonly number[]): number[] {
  const times = new Set<number>();
  for (const publishAt of publishTimes) {
    for (let ms = BEFORE_MS; ms > 0; ms -= LONG_STEP_MS) times.add(floor(publishAt - ms, LONG_STEP_MS));
    for (let ms = -HOUR_MS; ms < AFTER_MS; ms += GRID_MS) times.add(publishAt + ms);
  }
  return [...times].sort((a, b) => a - b);
}

const floor = (time: number, step: number) => Math.floor(time / step) * step;
