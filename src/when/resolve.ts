import type { Moment } from './moment.ts';
import type { PossibleWall } from './policy/possible-walls.ts';
import { fixedOffsetZone, sayOffset } from './zones/fixed-offset-zone.ts';
import { instantAfterGap, instantsShowing, offsetAt } from './zones/wall-clock.ts';
import type { AbbreviatedZone } from './zones/zone-abbreviations.ts';

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
export function resolve(
  { wall, elapsed }: PossibleWall,
  { zone, offset }: AbbreviatedZone,
  now: number,
): Resolved {
  if (wall === undefined) return settled([toMinute(now + elapsed)], zone);
  const shown = instantsShowing(wall, zone);
  const inZone = shown.length > 0 ? shown : [instantAfterGap(wall, zone)];
  if (offset !== undefined) return atOffset(wall, zone, offset, inZone);
  if (elapsed === 0 && shown.length === 0) return { ...settled(inZone, zone), isShifted: true };
  return settled(
    inZone.map((instant) => toMinute(instant + elapsed)),
    zone,
  );
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
  const fixed = fixedOffsetZone(offset);
  const atFixed = { instant: new Date(meant), zone: fixed ?? zone };
  if (zone === 'Etc/UTC') return { ...settled([], zone), moments: [atFixed] };
  const { moments } = settled(inZone.slice(0, 1), zone);
  return {
    moments: [...moments, atFixed],
    isShifted: false,
    notes: [`The clock there is not at ${sayOffset(offset)} then.`],
  };
}

/** Moments are whole minutes: that is all that is said back of them. */
function toMinute(instant: number): number {
  return Math.floor(instant / MINUTE_MS) * MINUTE_MS;
}
