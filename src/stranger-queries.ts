import type { IncomingMessage } from 'node:http';
import { getClient } from './clients.ts';
import { createSlots } from './slots.ts';

/**
 * Queries for strangers' requests at the same time, and for the same address. The built-in database takes 10 ms for a
 * chunk of a file, and people's requests wait behind it.
 */
const QUERIES = { maxSlots: 4, maxSlotsPerKey: 2 };
/** Queries of an address that wait. Each request that waits takes some kilobytes, and browsers open six connections. */
const MAX_WAITING_QUERIES = 200;

export class TooManyQueries extends Error {
  override readonly name = 'TooManyQueries';
}

export type StrangerQueries = ReturnType<typeof createStrangerQueries>;

/**
 * Creates the function that runs the queries of requests whose sender isn't known yet, so that those of one address don't
 * delay the others. Rejects with TooManyQueries if too many of an address wait.
 */
export function createStrangerQueries() {
  const createSlot = createSlots(QUERIES);
  const queryCounts = new Map<string, number>();
  return async <Result>(request: IncomingMessage, work: () => Promise<Result>): Promise<Result> => {
    const { address } = getClient(request);
    const count = queryCounts.get(address) ?? 0;
    if (count >= MAX_WAITING_QUERIES) throw new TooManyQueries('too many requests of an address wait');
    queryCounts.set(address, count + 1);
    const slot = createSlot(address);
    try {
      await slot.acquire();
      return await work();
    } finally {
      slot.release();
      const left = (queryCounts.get(address) ?? 1) - 1;
      if (left > 0) queryCounts.set(address, left);
      else queryCounts.delete(address);
    }
  };
}
