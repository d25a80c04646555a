import { instantAfterGap, instantsShowing } from '../../zones/wall-clock.ts';
import type { Range } from './range.ts';
import type { Edge, Stretch } from './stretch.ts';

const MINUTE_MS = 60_000;

/**
 * From wall clocks to instants in a zone. Where the clock shows an end twice, the range takes in both; where it
 * skips one, the moment after the skip stands for it.
 */
export function rangeOf({ from, to }: Stretch, zone: string): Range {
  return {
    ...(from === undefined ? {} : { from: new Date(beginning(from, zone)) }),
    ...(to === undefined ? {} : { to: new Date(ending(to, zone)) }),
    zone,
  };
}

function beginning({ wall, instant }: Edge, zone: string): number {
  return instant ?? instantsShowing(wall, zone)[0] ?? instantAfterGap(wall, zone);
}

/** The last millisecond before a full minute ends where that minute begins, whatever the clock does there. */
function ending({ wall, instant }: Edge, zone: string): number {
  if (instant !== undefined) return instant;
  if (wall % MINUTE_MS === MINUTE_MS - 1) return beginning({ wall: wall + 1 }, zone) - 1;
  return instantsShowing(wall, zone).at(-1) ?? instantAfterGap(wall, zone);
}
