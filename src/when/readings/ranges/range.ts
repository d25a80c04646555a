import type { NotUnderstood } from '../../moment.ts';

/**
 * A stretch of time: both ends belong to it, and a missing one is open. A whole day ends with its last millisecond.
 * `zone` (an IANA name) is the one whose days are meant.
 */
export interface Range {
  from?: Date;
  to?: Date;
  zone: string;
}

/**
 * What words were understood as. `text` is the range in plain words; `notes` are sentences for people about what
 * was assumed; of candidates the likeliest comes first.
 */
export type RangeReading =
  | { kind: 'understood'; range: Range; text: string; notes: readonly string[] }
  | { kind: 'ambiguous'; candidates: readonly { range: Range; text: string }[]; notes: readonly string[] }
  | NotUnderstood;
