import type { Parser, Refiner } from 'chrono-node';
import { configuration } from 'chrono-node/en';

/** Those of chrono's parsers that are right as they are in every language: figures with the year first. */
export function yearFirstDates(): Parser[] {
  const names = ['ISOFormatParser', 'ENYearMonthDayParser'];
  return configuration
    .createCasualConfiguration()
    .parsers.filter((parser) => names.includes(parser.constructor.name));
}

/** Of pieces that overlap, the longest stays. */
export function overlapRemoval(): Refiner[] {
  return configuration
    .createCasualConfiguration()
    .refiners.filter((refiner) => refiner.constructor.name === 'OverlapRemovalRefiner')
    .slice(0, 1);
}
