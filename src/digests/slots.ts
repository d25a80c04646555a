import { nextOccurrence, occurrencesOf } from '../when/when.ts';
import type { DigestSettings } from './digest.ts';

/** A schedule: days of the week at one time in a zone. */
export type Rule = Pick<DigestSettings, 'days' | 'time' | 'zone'>;

/** One moment of a schedule: the date in its zone, and the instant. */
export interface Slot {
  date: string;
  instant: Date;
}

/** Slots that are checked for a free date. Only a few days can be taken in advance, so this is never reached. */
const MAX_CHECKED_SLOTS = 400;

/** The first slot after `after` whose date isn't taken; undefined if the rule has no days. */
export function findFreeSlot(
  rule: Rule,
  after: Date,
  taken: ReadonlySet<string> = new Set(),
): Slot | undefined {
  let slot = nextOccurrence(rule, after);
  for (let looked = 0; slot && taken.has(slot.date) && looked < MAX_CHECKED_SLOTS; looked += 1) {
    slot = nextOccurrence(rule, slot.instant);
  }
  return slot;
}

/** All slots after `first` until `now`, and the next one. */
export function findSlotsSince(
  rule: Rule,
  first: Date,
  now: Date,
): { passed: readonly Slot[]; next: Slot | undefined } {
  return { passed: occurrencesOf(rule, { after: first, until: now }), next: nextOccurrence(rule, now) };
}

const formats = new Map<string, Intl.DateTimeFormat>();

/** The calendar date in the zone: 2026-12-01. */
export function localDate(instant: Date, zone: string): string {
  const format =
    formats.get(zone) ??
    new Intl.DateTimeFormat('en-CA', { timeZone: zone, year: 'numeric', month: '2-digit', day: '2-digit' });
  formats.set(zone, format);
  return format.format(instant);
}
