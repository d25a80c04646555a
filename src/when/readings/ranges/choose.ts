import type { ClosedStretch, Named, RangeContext } from './stretch.ts';

/** Which of the stretches with the same name is meant: by what stands before it, or by nothing. */
export type Side = 'alone' | 'since' | 'from' | 'until' | 'before' | 'after';

/**
 * The one that holds now; else of those that come often the next, and of those that come each year the nearest,
 * since lists go back as well as ahead. "Since" is never ahead, "until" never over.
 */
export function choose(
  { stretches, comes }: Named,
  side: Side,
  { now: clock, isAhead }: RangeContext,
): ClosedStretch | undefined {
  const now = clock.toMillis();
  if (comes === 'once') return stretches[0];
  if (side === 'since') return stretches.findLast(({ from }) => from.wall <= now) ?? stretches[0];
  if (side === 'until') return stretches.find(({ to }) => to.wall >= now) ?? stretches.at(-1);
  if (side === 'before' && comes === 'often') return stretches.find(({ from }) => from.wall > now);
  if (comes === 'often' && isAhead) {
    const today = clock.startOf('day').toMillis();
    return stretches.find(({ from }) => from.wall >= today);
  }
  if (comes === 'often') return stretches.find(({ to }) => to.wall >= now);
  return stretches.toSorted((a, b) => distance(a, now) - distance(b, now))[0];
}

/** How far it is from now: nothing where it holds now. */
function distance({ from, to }: ClosedStretch, now: number): number {
  return Math.max(0, from.wall - now, now - to.wall);
}
