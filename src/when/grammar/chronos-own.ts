import { en, type Parser, type Refiner } from 'chrono-node';

/** Those of chrono's parsers that are right as they are in every language: figures with the year first. */
export function yearFirstDates(): Parser[] {
  const names = ['ISOFormatParser', 'ENYearMonthDayParser'];
  return en.configuration
    .createCasualConfiguration()
    .parsers.filter((parser) => names.includes(parser.constructor.name));
}

/** Of pieces that overlap, the longest stays. */
export function overlapRemoval(): Refiner[] {
  return en.configuration
    .createCasualConfiguration()
    .refiners.filter((refiner) => refiner.constructor.name === 'OverlapRemovalRefiner')
    .slice(0, 1);
}
