import { LRUCache } from 'lru-cache';
import { MINUTE_MS } from '../../durations.ts';

/** A calendar, as it is sent. */
export interface Feed {
  body: string;
  etag: string;
}

/** How often a feed is made. Calendars ask every few hours. */
const MAX_AGE_MS = MINUTE_MS;
const MAX_BYTES = 16 * 1024 * 1024;

export type FeedCache = ReturnType<typeof createFeedCache>;

/** Creates the cache of the feeds of the last minute, by their links and projects. */
export function createFeedCache() {
  return new LRUCache<string, Feed>({
    maxSize: MAX_BYTES,
    sizeCalculation: ({ body }) => 2 * body.length + 200,
    ttl: MAX_AGE_MS,
  });
}
