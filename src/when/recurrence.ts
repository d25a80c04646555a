/** Words to a recurrence, and back, and its next occurrences. */

export {
  nextOccurrence,
  occurrencesOf,
  type Recurrence,
  type RecurrenceReading,
  renderDays,
  renderRecurrence,
} from './readings/recurrences/recurrence.ts';
export { repeatedTimes } from './readings/recurrences/repeated-times.ts';
export {
  explainRecurrence,
  isRepeating,
  ONLY,
  understandRecurrence,
} from './readings/recurrences/understand-recurrence.ts';
