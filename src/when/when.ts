/** Words to a moment, several, or a shift. Ranges, recurrences, zones and `formatMoment` have entry points of their own. */

export {
  DATE_ORDERS,
  type DateOrder,
  dateOrderOf,
  findDateOrder,
  type KnownDateOrder,
  matchNumericDate,
  NUMERIC_DATE,
} from './date-order.ts';
export { hasStepsLeft, withStepBudget } from './limits.ts';
export {
  type Moment,
  type MomentReading,
  momentsOf,
  type NotUnderstood,
  notesOf,
  type Question,
  REASONS,
} from './moment.ts';
export { findLeadingMoments } from './readings/moments/find-leading-moments.ts';
export {
  type FaultyMoment,
  type MomentsReading,
  type NamedMoment,
  understandMoments,
} from './readings/moments/understand-moments.ts';
export { type Shift, understandShift } from './readings/understand-shift.ts';
export { earliestMoment, understandMoment } from './understand-moment.ts';
export { warmUpDateParser } from './warm-up.ts';
