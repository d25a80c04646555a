import type { Parser, Refiner } from 'chrono-node';
import { configuration } from 'chrono-node/en';

const { parsers, refiners } = configuration.createConfiguration(false);

/**
 * Chrono's parsers for dates that begin with the year (`ENYearMonthDayParser` and `ISOFormatParser`), which suit every
 * language. Chrono exports no parser by name, but tries these two first.
 */
export const yearFirstDates: readonly Parser[] = parsers.slice(0, 2);

/** Chrono's refiner that keeps the longest of overlapping pieces (`OverlapRemovalRefiner`), its first. */
export const overlapRemoval: readonly Refiner[] = refiners.slice(0, 1);
