import { nextOccurrence, occurrencesOf } from '../when/when.ts';
import type { DigestSettings } from './digest.ts';

/** When something comes: days of the week at one time in a zone. */
export type Rule = Pick<DigestSettings, 'days' | 'time' | 'zone'>;

/** One time that it comes: the local date that is meant, and its instant. */
export interface Slot {
  date: string;
  instant: Date;
}

/** As many times as are looked through for a free date: what was finished ahead of time is a few days long. */
const MOST_LOOKED_AT = 400;

/** The first later than `after` whose date is not taken; undefined where there are no days. */
export function firstFree(rule: Rule, after: Date, taken: ReadonlySet<string> = new Set()): Slot | undefined {
  let slot = nextOccurrence(rule, after);
  for (let looked = 0; slot && taken.has(slot.date) && looked < MOST_LOOKED_AT; looked += 1) {
    slot = nextOccurrence(rule, slot.instant);
  }
  return slot;
}

/** All that came after `first` and until now, and the one that comes next. */
export function cameSince(
  rule: Rule,
  first: Date,
  now: Date,
): { came: readonly Slot[]; next: Slot | undefined } {
  return { came: occurrencesOf(rule, { after: first, until: now }), next: nextOccurrence(rule, now) };
}

const formats = new Map<string, Intl.DateTimeFormat>();

/** 2026-12-01: what a calendar shows in the zone. */
export function localDate(instant: Date, zone: string): string {
  const format =
    formats.get(zone) ??
    new Intl.DateTimeFormat('en-CA', { timeZone: zone, year: 'numeric', month: '2-digit', day: '2-digit' });
  formats.set(zone, format);
  return format.format(instant);
}
