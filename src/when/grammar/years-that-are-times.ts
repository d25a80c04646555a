import type { ParsingResult, Refiner } from 'chrono-node';
import { wallClockOf } from './rule.ts';

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
