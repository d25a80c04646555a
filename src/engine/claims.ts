import type { Kysely } from 'kysely';
import type { Storage } from './capability.ts';
import { addMs } from './clock.ts';
import type { DeliveryRow } from './columns.ts';
import { filterStates } from './lifecycle.ts';
import { createRoundRobin, getPairKey } from './round-robin.ts';
import { type ClaimFilter, claimRows, type EndpointWorkspace, findDuePairs } from './sql/claims.ts';
import type { EngineTables } from './tables.ts';

interface Claims<Row> {
  /** Claims up to `freeSlots` due rows. Pairs of endpoint and workspace take turns. */
  claim(freeSlots: number): Promise<Row[]>;
  /** Frees the slot of a claimed row whose step has ended. */
  releaseSlot(row: Pick<DeliveryRow, 'endpoint'>): void;
}

/** Describes which rows of a delivery table this version may claim. */
export function buildClaimFilter<State extends string>(
  {
    table,
    lifecycle,
    exclusionColumns = ['id'],
  }: Pick<Storage<State, never>, 'table' | 'lifecycle'> & {
    exclusionColumns?: readonly string[] | undefined;
  },
  excludedIds: readonly string[],
): ClaimFilter {
  const states = filterStates(lifecycle, ({ waitsFor }) => waitsFor === 'upnext');
  return { table, states, exclusionColumns, excludedIds };
}

const START_CURSOR: EndpointWorkspace = { endpoint: '', workspace: '' };

/**
 * Creates the object that claims due rows of one kind of delivery. Pairs of endpoint and workspace take turns, and each
 * endpoint has a limit for rows in progress.
 */
export function createClaims<Row extends DeliveryRow>(options: {
  db: Kysely<EngineTables>;
  clock: () => Date;
  getClaimFilter(): ClaimFilter;
  leaseMs: number;
  /** Returns the maximum number of rows in progress at an endpoint. */
  getLimit(endpoint: string): number;
  /** Called if a later round of a claim fails. The rows of earlier rounds are claimed. */
  onError(error: unknown): void;
}): Claims<Row> {
  const { db, clock, getClaimFilter, leaseMs, getLimit, onError } = options;
  const roundRobin = createRoundRobin();
  const inProgressCounts = new Map<string, number>();
  let cursor = START_CURSOR;
  const countFreeSlots = (endpoint: string) => getLimit(endpoint) - (inProgressCounts.get(endpoint) ?? 0);

  /** Adds rows of these pairs to `claimedRows`, until there are `maxRows`. */
  async function claimPairs(
    duePairs: readonly EndpointWorkspace[],
    { claimedRows, maxRows }: { claimedRows: Row[]; maxRows: number },
  ): Promise<void> {
    for (let pairs = duePairs; pairs.length > 0 && claimedRows.length < maxRows; ) {
      const allocations = roundRobin.distribute(pairs, maxRows - claimedRows.length, countFreeSlots);
      const now = clock();
      const leaseUntil = addMs(now, leaseMs);
      const rows = await claimRows<Row>(db, getClaimFilter(), { allocations, now, leaseUntil });
      for (const { endpoint } of rows)
        inProgressCounts.set(endpoint, (inProgressCounts.get(endpoint) ?? 0) + 1);
      claimedRows.push(...rows);
      // Only pairs that used all their slots may have more due rows.
      const claimedByPair = Map.groupBy(rows, getPairKey);
      const fullPairKeys = allocations
        .filter((allocation) => claimedByPair.get(getPairKey(allocation))?.length === allocation.slots)
        .map(getPairKey);
      pairs = pairs.filter((pair) => fullPairKeys.includes(getPairKey(pair)));
    }
  }

  return {
    async claim(freeSlots) {
      const page = await findDuePairs(db, getClaimFilter(), { now: clock(), after: cursor });
      cursor = page.next ?? START_CURSOR;
      const claimedRows: Row[] = [];
      try {
        await claimPairs(page.pairs, { claimedRows, maxRows: freeSlots });
      } catch (error) {
        // An error in a later round must not lose the rows of earlier rounds.
        if (claimedRows.length === 0) throw error;
        onError(error);
      }
      return claimedRows;
    },
    releaseSlot({ endpoint }) {
      const remaining = (inProgressCounts.get(endpoint) ?? 0) - 1;
      if (remaining > 0) inProgressCounts.set(endpoint, remaining);
      else inProgressCounts.delete(endpoint);
    },
  };
}
