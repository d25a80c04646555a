import { dateOrderOf, type KnownDateOrder } from './date-order.ts';
import type { Limits } from './limits.ts';

/** A text, and where and when it was written. */
export interface Question {
  text: string;
  now: Date;
  /** The IANA name of the zone, unless the text names one. */
  zone: string;
  /** The BCP 47 locale: language, first weekday. Defaults to en-US. */
  locale?: string | undefined;
  /** The order of day and month in 03/04. Defaults to that of the locale. */
  dateOrder?: KnownDateOrder | undefined;
  /** Whether every word has to belong to the time, so that "doors open friday" isn't one. Defaults to false. */
  mustBeWhole?: boolean;
  /** The present time of what is moved, whose day or time of the day is kept if the text names only the other. */
  present?: Date | undefined;
}

/** A question that is part of a reading. */
export interface LimitedQuestion extends Question {
  locale: string;
  dateOrder: KnownDateOrder;
  limits: Limits;
}

export const DEFAULT_LOCALE = 'en-US';

/** The locale and the order of a question, which has defaults for both. */
export function readerOf({
  locale = DEFAULT_LOCALE,
  dateOrder,
}: Question): Pick<LimitedQuestion, 'locale' | 'dateOrder'> {
  return { locale, dateOrder: dateOrder ?? dateOrderOf(locale) ?? 'day-first' };
}

/** An instant, and the zone (an IANA name) in which it was meant and is said. */
export interface Moment {
  instant: Date;
  zone: string;
}

/**
 * What words were understood as. `notes` are sentences for people about what was assumed.
 *
 *   understood      one moment
 *   now             the current minute, in which nothing can be scheduled any more: see `earliestMoment`
 *   ambiguous       two or more, the likeliest first: ask
 *   shifted         the clock skips the time that was named; this is the moment after the skip
 *   past            one moment, but over; `suggestion` is the nearest like it that is to come
 *   not-understood  `unparsedText` is the part that stood in the way, `examples` are phrases that work
 */
export type MomentReading =
  | { kind: 'understood'; moment: Moment; notes: readonly string[] }
  | { kind: 'now'; moment: Moment }
  | { kind: 'ambiguous'; candidates: readonly Moment[]; notes: readonly string[] }
  | { kind: 'shifted'; moment: Moment; notes: readonly string[] }
  | { kind: 'past'; moment: Moment; suggestion?: Moment }
  | NotUnderstood;

export interface NotUnderstood {
  kind: 'not-understood';
  unparsedText: string;
  /** A sentence for people. `code`: which of the known reasons it is, if it's one. */
  reason: string;
  code?: ReasonCode;
  examples: readonly string[];
  /** The last day of the month, if the text names a date after it, such as 31 February. */
  suggestion?: Moment;
}

/** Phrases that always work, for those whose own did not. */
export const EXAMPLES: readonly string[] = ['tomorrow 9am', 'fri 14:30', '1 Dec at 10:15 London time'];

/** The notes of a moment that is taken without asking, also if the clock skips its time. */
export function notesOf(
  reading: Extract<MomentReading, { kind: 'understood' | 'shifted' }>,
): readonly string[] {
  const skipped = 'That time is skipped by the clock change, so moved forward.';
  return reading.kind === 'shifted' ? [...reading.notes, skipped] : reading.notes;
}

/** The beginning of the note of a day without a time. */
export const TIME_ASSUMED = 'No time given: ';

/** Why a text isn't one time in the future, and what to do instead. */
export const REASONS = {
  past: { code: 'past', text: 'That time has passed. Pick a later one.' },
  repeats: { code: 'repeats', text: 'That repeats. Pick one date, such as the first.' },
  range: { code: 'range', text: 'That’s a range. Pick one time.' },
  period: { code: 'period', text: 'That’s a longer period. Pick a day.' },
  choice: { code: 'choice', text: 'That’s a choice. Pick one.' },
  several: { code: 'several', text: 'That’s more than one time. Pick one.' },
} as const;

type ReasonCode = keyof typeof REASONS;

/** A known reason, or another in a sentence. */
export type Reason = (typeof REASONS)[ReasonCode] | string;

export function notUnderstood(words: string, reason: Reason): NotUnderstood {
  const known = typeof reason === 'string' ? { reason } : { reason: reason.text, code: reason.code };
  return { kind: 'not-understood', unparsedText: words.trim(), ...known, examples: EXAMPLES };
}

/** The moments that a reading names: one, several to choose from, or none. */
export function momentsOf(reading: MomentReading): readonly Moment[] {
  if (reading.kind === 'ambiguous') return reading.candidates;
  return reading.kind === 'past' || reading.kind === 'not-understood' ? [] : [reading.moment];
}
