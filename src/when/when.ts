/** Words to a moment, several moments, a range or a recurrence, and back. Everything outside imports this file alone. */

export { formatMoment } from './format-moment.ts';
export { MAX_ZONE_LENGTH, withStepBudget } from './limits.ts';
export { type Moment, type MomentReading, momentsOf } from './moment.ts';
export { findLeadingMoments } from './readings/moments/find-leading-moments.ts';
export type { FaultyMoment, MomentsReading, NamedMoment } from './readings/moments/understand-moments.ts';
export { understandMoments } from './readings/moments/understand-moments.ts';
export type { Question } from './readings/question.ts';
export { findRange } from './readings/ranges/find-range.ts';
export { type Range, type RangeReading, renderRange } from './readings/ranges/range.ts';
export { understandRange } from './readings/ranges/understand-range.ts';
export type { RecurrenceReading, WeeklySchedule } from './readings/recurrences/recurrence.ts';
export {
  nextOccurrence,
  occurrencesOf,
  renderRecurrence,
  toRecurrence,
  toWeeklySchedule,
} from './readings/recurrences/recurrence.ts';
export { repeatedTimes } from './readings/recurrences/repeated-times.ts';
export { isRepeating, understandRecurrence } from './readings/recurrences/understand-recurrence.ts';
export { earliestMoment, understandMoment } from './understand-moment.ts';
export { warmUpDateParser } from './warm-up.ts';
export {
  formatOffsetAt,
  instantAfterGap,
  instantsShowing,
  offsetAt,
  wallClockAt,
} from './zones/wall-clock.ts';
export { findZonesByName, isZone, searchZones, zoneName } from './zones/zones.ts';
