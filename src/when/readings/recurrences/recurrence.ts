import type { NotUnderstood } from '../../moment.ts';

/** Days of the week at one time. `zone` is the IANA name that the words gave; without it they gave none. */
export interface Recurrence {
  /** ISO weekdays, 1 is Monday and 7 Sunday; in order, each once. */
  days: readonly number[];
  time: { hour: number; minute: number };
  zone?: string;
}

/**
 * What words were understood as. `notes` are sentences for people about what was assumed; of candidates the
 * likeliest comes first.
 */
export type RecurrenceReading =
  | { kind: 'understood'; recurrence: Recurrence; notes: readonly string[] }
  | { kind: 'ambiguous'; candidates: readonly Recurrence[]; notes: readonly string[] }
  | NotUnderstood;
