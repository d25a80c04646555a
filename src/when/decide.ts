import { type Moment, type MomentReading, notUnderstood } from './moment.ts';
import type { Candidate } from './policy/candidates.ts';
import {
  fixedOffsetZone,
  instantAfterGap,
  instantsShowing,
  offsetAt,
  sayOffset,
  wallClockAt,
} from './zones/wall-clock.ts';
import type { ZoneMeaning } from './zones/zone-names.ts';

const MINUTE_MS = 60_000;

/** The instants of one wall clock: one, two where the clock is set back, one after the gap where it is set forward. */
export interface Resolved {
  moments: readonly Moment[];
  isShifted: boolean;
  notes: readonly string[];
}

/**
 * From a wall clock to instants in the zone that is meant. Where the words name an offset too and the zone does
 * not keep it on that day ("EST" in July), both are meant: the zone's clock first, the offset second.
 */
export function resolve({ wall, elapsed }: Candidate, { zone, offset }: ZoneMeaning, now: number): Resolved {
  if (wall === undefined) return settled([toMinute(now + elapsed)], zone);
  const shown = instantsShowing(wall, zone);
  const inZone = shown.length > 0 ? shown : [instantAfterGap(wall, zone)];
  if (offset !== undefined) return atOffset(wall, zone, offset, inZone);
  if (elapsed === 0 && shown.length === 0) return { ...settled(inZone, zone), isShifted: true };
  const instants = inZone.map((instant) => toMinute(instant + elapsed));
  return settled(instants, zone);
}

function settled(instants: readonly number[], zone: string): Resolved {
  return {
    moments: instants.map((instant) => ({ instant: new Date(instant), zone })),
    isShifted: false,
    notes: [],
  };
}

function atOffset(wall: number, zone: string, offset: number, inZone: readonly number[]): Resolved {
  const meant = wall - offset * MINUTE_MS;
  if (offsetAt(meant, zone) === offset) return settled([meant], zone);
  const atFixed = settled([meant], fixedOffsetZone(offset) ?? zone);
  if (zone === 'Etc/UTC') return atFixed;
  const moments = [...settled(inZone.slice(0, 1), zone).moments, ...atFixed.moments];
  return { moments, isShifted: false, notes: [`The clock isn’t at ${sayOffset(offset)} there then.`] };
}

/** Moments are whole minutes, because people see no seconds. */
export function toMinute(instant: number): number {
  return Math.floor(instant / MINUTE_MS) * MINUTE_MS;
}

/** What the words can mean in one zone, the likeliest first. */
export interface MomentCandidates {
  kind: 'possible';
  resolved: readonly Resolved[];
  notes: readonly string[];
}

const DAY_MS = 86_400_000;

/** More candidates would be a list, not a question. */
const MAX_CANDIDATES = 4;

/** A later time is a typo. */
const FURTHEST_MS = 110 * 366 * DAY_MS;

/** Decides between moments that are all meant in their own zones. */
export function decideBetween(
  moments: readonly Moment[],
  notes: readonly string[],
  now: Date,
): MomentReading {
  return decide([{ kind: 'possible', resolved: [{ moments, isShifted: false, notes: [] }], notes }], now);
}

/** Decides between the candidates in the future. */
export function decide(found: readonly MomentCandidates[], now: Date): MomentReading {
  const resolved = found.flatMap((possible) => possible.resolved);
  const all = resolved.flatMap((each) => each.moments).filter(({ instant }) => !Number.isNaN(+instant));
  const moments = all.filter(
    ({ instant }, index) => all.findIndex((each) => +each.instant === +instant) === index,
  );
  const ahead = moments.filter(({ instant }) => instant > now);
  const [first] = ahead;
  if (first === undefined) return whenOver(moments[0], now);
  if (first.instant.getTime() - now.getTime() > FURTHEST_MS)
    return notUnderstood('', 'That’s too far in the future.');
  const notes = [...new Set([...found, ...resolved].flatMap((each) => each.notes))];
  if (ahead.length > 1) return { kind: 'ambiguous', candidates: ahead.slice(0, MAX_CANDIDATES), notes };
  const isShifted = resolved.some((each) => each.isShifted && each.moments.includes(first));
  if (!isShifted) return { kind: 'understood', moment: first, notes };
  const note = 'That time is skipped by the clock change, so moved forward.';
  return { kind: 'shifted', moment: first, notes: [...notes, note] };
}

function whenOver(moment: Moment | undefined, now: Date): MomentReading {
  if (moment === undefined) return notUnderstood('', 'That’s not a time.');
  if (+now - +moment.instant < MINUTE_MS) {
    const suggestion = earliestMoment(moment.zone, now);
    return { kind: 'past', moment: { ...moment, instant: now }, suggestion };
  }
  const suggestion = sameTimeNextDay(moment);
  return { kind: 'past', moment, ...(suggestion.instant > now && { suggestion }) };
}

/** The first full minute that leaves at least one minute to schedule a post. */
export function earliestMoment(zone: string, now: Date): Moment {
  return { instant: new Date(Math.floor(now.getTime() / MINUTE_MS + 2) * MINUTE_MS), zone };
}

function sameTimeNextDay({ instant, zone }: Moment): Moment {
  const wall = wallClockAt(instant.getTime(), zone) + DAY_MS;
  return { instant: new Date(instantsShowing(wall, zone)[0] ?? instant.getTime() + DAY_MS), zone };
}
