/** Words to a range, and back. */

export { findRange } from './readings/ranges/find-range.ts';
export { type Range, type RangeReading, renderRange } from './readings/ranges/range.ts';
export { understandRange } from './readings/ranges/understand-range.ts';
