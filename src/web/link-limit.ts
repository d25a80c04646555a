import { LRUCache } from 'lru-cache';
import { limitEntries } from '../cache/cache.ts';
import { createSlots, type Slot } from '../slots.ts';

/** Pages that are made at the same time, in all and for one link: a page of many projects reads each of them. */
const PAGES = { maxSlots: 8, maxSlotsPerKey: 2 };
/** A link's requests: somebody turns two pages a second for a minute, and then one every second. */
const BURST = 120;
const PER_SECOND = 1;
/** Links whose requests are counted. Each takes about 200 bytes, and an evicted one begins anew. */
const MAX_LINKS = 10_000;

/** Creates the limit of each link: how much it may ask for, and how much of that at the same time. */
export function createLinkLimit(clock: () => number = () => performance.now()) {
  const buckets = new LRUCache<string, { left: number; at: number }>(limitEntries(MAX_LINKS));
  const createSlot = createSlots(PAGES);
  return {
    /** Counts a request, and returns its slot. Undefined above the limit. */
    enter(link: string): Slot | undefined {
      const now = clock();
      const bucket = buckets.get(link) ?? { left: BURST, at: now };
      const left = Math.min(BURST, bucket.left + ((now - bucket.at) / 1000) * PER_SECOND);
      buckets.set(link, { left: Math.max(0, left - 1), at: now });
      return left < 1 ? undefined : createSlot(link);
    },
  };
}
