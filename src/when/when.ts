/**
 * Words to a moment or several, and back. Ranges, recurrences and zones have entry points of their own beside this one.
 */

export { formatMoment, formatMomentDay, renderNote, toLocalClock } from './format-moment.ts';
export { withStepBudget } from './limits.ts';
export { type Moment, type MomentReading, type Question, REASONS, SKIPPED_TIME_NOTE } from './moment.ts';
export { findLeadingMoments } from './readings/moments/find-leading-moments.ts';
export {
  type FaultyMoment,
  type MomentsReading,
  type NamedMoment,
  understandMoments,
} from './readings/moments/understand-moments.ts';
export { type Shift, understandShift } from './readings/understand-shift.ts';
export { earliestMoment, understandMoment, understandNewMoment } from './understand-moment.ts';
export { warmUpDateParser } from './warm-up.ts';
