/** Words to a moment, several moments, a range or a recurrence, and back. Everything outside imports this file alone. */

export { answerLine, isLocale } from './answer-line.ts';
export { earliestMoment } from './decide.ts';
export { formatMoment } from './format-moment.ts';
export { MAX_ZONE_LENGTH, withStepBudget } from './limits.ts';
export type { Moment, MomentReading } from './moment.ts';
export { describeAs, describeReading, READINGS } from './readings/describe-readings.ts';
export { findLeadingMoments } from './readings/moments/find-leading-moments.ts';
export type { FaultyMoment, MomentsReading, NamedMoment } from './readings/moments/moments-reading.ts';
export { understandMoments } from './readings/moments/understand-moments.ts';
export type { Question } from './readings/question.ts';
export { findRange } from './readings/ranges/find-range.ts';
export type { Range } from './readings/ranges/range.ts';
export { renderRange } from './readings/ranges/range.ts';
export { understandRange } from './readings/ranges/understand-range.ts';
export { nextOccurrence, occurrencesOf } from './readings/recurrences/occurrences.ts';
export type { WeeklySchedule } from './readings/recurrences/recurrence.ts';
export { renderRecurrence, toRecurrence, toWeeklySchedule } from './readings/recurrences/recurrence.ts';
export { repeatedTimes } from './readings/recurrences/repeated-times.ts';
export { isRepeating, understandRecurrence } from './readings/recurrences/understand-recurrence.ts';
export { understandMoment } from './understand-moment.ts';
export { warmUpDateParser } from './warm-up.ts';
export {
  formatOffsetAt,
  instantAfterGap,
  instantsShowing,
  offsetAt,
  wallClockAt,
} from './zones/wall-clock.ts';
export { findZonesByName, isZone, searchZones, zoneName } from './zones.ts';
