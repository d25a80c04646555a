import { LRUCache } from 'lru-cache';
import { limitEntries } from '../cache/cache.ts';
import { createSlots, type Slot } from '../slots.ts';
import type { Link } from './links.ts';

/**
 * Pages that are made at the same time, in all and for one workspace: a page of many projects reads each of them, and all
 * pages of a workspace wait for the same service.
 */
const PAGES = { maxSlots: 8, maxSlotsPerKey: 3 };
/** A person's requests: somebody turns two pages a second for a minute, and then one every second. */
const BURST = 120;
const PER_SECOND = 1;
/** People whose requests are counted. Each takes about 200 bytes, and an evicted one begins anew. */
const MAX_PEOPLE = 10_000;

/** Creates the limit of pages: how much a person may ask for, with all their links, and how much is made at the same time. */
export function createLinkLimit(clock: () => number = () => performance.now()) {
  const buckets = new LRUCache<string, { left: number; at: number }>(limitEntries(MAX_PEOPLE));
  const createSlot = createSlots(PAGES);
  return {
    /** Counts a request, and returns its slot. Undefined above the limit. */
    enter({ workspace, person }: Pick<Link, 'workspace' | 'person'>): Slot | undefined {
      const key = `${workspace} ${person}`;
      const now = clock();
      const bucket = buckets.get(key) ?? { left: BURST, at: now };
      const left = Math.min(BURST, bucket.left + ((now - bucket.at) / 1000) * PER_SECOND);
      buckets.set(key, { left: Math.max(0, left - 1), at: now });
      return left < 1 ? undefined : createSlot(workspace);
    },
  };
}
