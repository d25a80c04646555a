/** Words to a recurrence, and back, and its next occurrences. */

export {
  nextOccurrence,
  occurrencesOf,
  type Recurrence,
  type RecurrenceReading,
  renderRecurrence,
} from './readings/recurrences/recurrence.ts';
export { ONLY } from './readings/recurrences/repeated-days.ts';
export { repeatedTimes } from './readings/recurrences/repeated-times.ts';
export {
  explainRecurrence,
  isRepeating,
  understandRecurrence,
} from './readings/recurrences/understand-recurrence.ts';
