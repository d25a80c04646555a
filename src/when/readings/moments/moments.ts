import type { Moment, MomentReading, NotUnderstood } from '../../moment.ts';

/** One of several moments, with the words that named it and sentences about what was assumed. */
export interface NamedMoment {
  moment: Moment;
  words: string;
  notes: readonly string[];
}

/** One of several whose words are no single moment to come: which, and why (past, in a gap, to be asked, unread). */
export interface FaultyMoment {
  words: string;
  reading: Exclude<MomentReading, { kind: 'understood' }>;
}

/**
 * What words were understood as: at most 20 moments, earliest first, each once. `notes` are about all of them.
 *
 *   understood      one or more moments
 *   ambiguous       the same question for the whole list ("mon and tue at 9"): lists to choose from, the likeliest first
 *   faulty          some are no moment to come: `moments` are the others, `faults` tell which and why
 *   not-understood  no list of moments
 */
export type MomentsReading =
  | { kind: 'understood'; moments: readonly NamedMoment[]; notes: readonly string[] }
  | { kind: 'ambiguous'; candidates: readonly (readonly NamedMoment[])[]; notes: readonly string[] }
  | {
      kind: 'faulty';
      moments: readonly NamedMoment[];
      faults: readonly FaultyMoment[];
      notes: readonly string[];
    }
  | NotUnderstood;
