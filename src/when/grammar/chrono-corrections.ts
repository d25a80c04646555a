import type { ParsingResult, Refiner } from 'chrono-node';
import { has, markValue, wallClockOf } from './rule.ts';

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

/** A number that joined no day and no part of a day is a number, not an hour. */
export const dropLooseHours: Refiner = {
  refine: (_context, results) =>
    results.filter(({ start }) => {
      if (!has(start, 'loose-hour')) return true;
      return start.isCertain('day') || start.isCertain('weekday') || markValue(start, 'part') !== undefined;
    }),
};

/**
 * Pieces that say nothing by themselves and have joined nothing that completes them: "monday before" no day,
 * "2 hours after" no time.
 */
export const dropWhatLeadsNowhere: Refiner = {
  refine: (_context, results) => results.filter((result) => !leadsNowhere(result)),
};

function leadsNowhere({ start }: ParsingResult): boolean {
  const hasDay = start.isCertain('day') || start.isCertain('weekday');
  if (start.isCertain('year') && !hasDay) return true;
  const hasTime = start.isCertain('hour') || markValue(start, 'part') !== undefined;
  if (markValue(start, 'beside') !== undefined) return !hasDay;
  if (has(start, 'same-time')) return !hasDay && !isInDays(start);
  const plus = markValue(start, 'plus');
  if (plus === undefined) return false;
  return plus.includes('T') ? !hasTime && !hasDay : !hasDay;
}

/** "A week from now at the same time" is complete, "in two hours at the same time" is nothing. */
function isInDays(start: ParsingResult['start']): boolean {
  return markValue(start, 'after')?.includes('T') === false;
}

/** Nobody schedules further ahead, and a past year is more likely a year than a time only if it is recent. */
const YEARS_AHEAD = 20;
const YEARS_BACK = 50;

/** "18 Aug 1005" is five past ten: figures after a date that no one means as a year are a time on a 24-hour clock. */
export const yearsThatAreTimes: Refiner = {
  refine: (context, results) => {
    const { year } = wallClockOf(context);
    for (const result of results) readAsTime(result, year);
    return results;
  },
};

function readAsTime({ start, text }: ParsingResult, thisYear: number): void {
  const year = start.get('year');
  if (year === null || !start.isCertain('month') || start.isCertain('hour') || !/\s\d{4}$/.test(text)) return;
  if (year >= thisYear - YEARS_BACK && year <= thisYear + YEARS_AHEAD) return;
  const hour = Math.floor(year / 100);
  const minute = year % 100;
  if (hour > 23 || minute > 59) return;
  start.delete('year');
  start.assign('hour', hour);
  start.assign('minute', minute);
}

/** "Lunch with Ben tomorrow at 12:30": a meal that joins nothing is what is done then, where the time is said. */
export const dropNamedMeals: Refiner = {
  refine: (_context, results) => {
    const isTimed = results.some(({ start }) => start.isCertain('hour') && !has(start, 'spoken-hour'));
    return isTimed ? results.filter((result) => !isMealAlone(result)) : results;
  },
};

function isMealAlone({ start }: ParsingResult): boolean {
  if (!start.tags().has('rule/occasions')) return false;
  return !(['hour', 'day', 'weekday'] as const).some((part) => start.isCertain(part));
}
