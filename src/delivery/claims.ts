import type { Kysely } from 'kysely';
import type { BotSchema } from '../store/schema.ts';
import type { DeliveryRow } from './columns.ts';
import type { Definition } from './definition.ts';
import { filterStates } from './lifecycle.ts';
import { createRoundRobin, getPairKey } from './round-robin.ts';
import { addMs } from './shared-clock.ts';
import { type ClaimFilter, claimRows, type EndpointWorkspace, findDuePairs } from './sql/claims.ts';

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
  }: Pick<Definition<State, never>, 'table' | 'lifecycle' | 'exclusionColumns'>,
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
  db: Kysely<BotSchema>;
  clock: () => Date;
  getClaimFilter(): ClaimFilter;
  leaseMs: number;
  /** Returns the maximum number of rows in progress at an endpoint. */
  getLimit(endpoint: string): number;
}): Claims<Row> {
  const { db, clock, getClaimFilter, leaseMs, getLimit } = options;
  const roundRobin = createRoundRobin();
  const inProgressCounts = new Map<string, number>();
  let cursor = START_CURSOR;
  const countFreeSlots = (endpoint: string) => getLimit(endpoint) - (inProgressCounts.get(endpoint) ?? 0);

  return {
    async claim(freeSlots) {
      const page = await findDuePairs(db, getClaimFilter(), { now: clock(), after: cursor });
      cursor = page.next ?? START_CURSOR;
      const claimedRows: Row[] = [];
      for (let pairs = page.pairs; pairs.length > 0 && claimedRows.length < freeSlots; ) {
        const allocations = roundRobin.distribute(pairs, freeSlots - claimedRows.length, countFreeSlots);
        const now = clock();
        const leaseUntil = addMs(now, leaseMs);
        const claiming = claimRows<Row>(db, getClaimFilter(), { allocations, now, leaseUntil });
        // An error in a later round must not lose the rows of earlier rounds.
        const rows = await (claimedRows.length > 0 ? claiming.catch(() => []) : claiming);
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
      return claimedRows;
    },
    releaseSlot({ endpoint }) {
      const remaining = (inProgressCounts.get(endpoint) ?? 0) - 1;
      if (remaining > 0) inProgressCounts.set(endpoint, remaining);
      else inProgressCounts.delete(endpoint);
    },
  };
}
