/** Creates a generator of pseudo-random numbers from 0 to 1 (mulberry32). A seed always gives the same numbers. */
export function createRandom(seed: number) {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = state;
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  return {
    next,
    /** Returns true with this probability. */
    drawBoolean: (share: number) => next() < share,
    /** Draws an integer from 0 up to, but not including, `end`. */
    drawInteger: (end: number) => Math.floor(next() * end),
    pick: <T>(from: readonly T[]): T => {
      const picked = from[Math.floor(next() * from.length)];
      if (picked === undefined) throw new Error('there is nothing to pick from');
      return picked;
    },
  };
}

export type Random = ReturnType<typeof createRandom>;
