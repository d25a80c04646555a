import type { Kysely } from 'kysely';
import type { BotSchema } from '../store/schema.ts';
import type { DeliveryRow } from './columns.ts';
import type { Definition } from './definition.ts';
import { filterStates } from './lifecycle.ts';
import { createRoundRobin, getPairKey } from './round-robin.ts';
import { addMs } from './shared-clock.ts';
import { type Claimable, claimRows, findDuePairs, type Pair } from './sql/claims.ts';

interface Claims<Row> {
  /** Claims up to `freeSlots` due rows. The pairs of endpoint and workspace take turns. */
  claim(freeSlots: number): Promise<Row[]>;
  /** Frees the slot of a claimed row whose step has ended. */
  onEnd(row: Pick<DeliveryRow, 'endpoint'>): void;
}

/** Describes the rows of a definition that this version may claim. */
export function buildClaimable<State extends string>(
  {
    table,
    lifecycle,
    excludableColumns = ['id'],
  }: Pick<Definition<State, never>, 'table' | 'lifecycle' | 'excludableColumns'>,
  excludedIds: readonly string[],
): Claimable {
  const states = filterStates(lifecycle, ({ waitsFor }) => waitsFor === 'us');
  return { table, states, excludableColumns, excludedIds };
}

const FIRST_PAIR: Pair = { endpoint: '', workspace: '' };

/** Creates the fair claims of a definition. They count the rows in progress at each endpoint. */
export function createClaims<Row extends DeliveryRow>(options: {
  db: Kysely<BotSchema>;
  clock: () => Date;
  getClaimable(): Claimable;
  leaseMs: number;
  /** Returns the maximum number of rows in progress at an endpoint. */
  getLimit(endpoint: string): number;
}): Claims<Row> {
  const { db, clock, getClaimable, leaseMs, getLimit } = options;
  const roundRobin = createRoundRobin();
  const inProgressCounts = new Map<string, number>();
  let cursor = FIRST_PAIR;
  const countFreeSlots = (endpoint: string) => getLimit(endpoint) - (inProgressCounts.get(endpoint) ?? 0);

  return {
    async claim(freeSlots) {
      const page = await findDuePairs(db, getClaimable(), { now: clock(), after: cursor });
      cursor = page.next ?? FIRST_PAIR;
      const claimedRows: Row[] = [];
      for (let pairs = page.pairs; pairs.length > 0 && claimedRows.length < freeSlots; ) {
        const grants = roundRobin.distribute(pairs, freeSlots - claimedRows.length, countFreeSlots);
        const now = clock();
        const leaseUntil = addMs(now, leaseMs);
        const claiming = claimRows<Row>(db, getClaimable(), { grants, now, leaseUntil });
        // An error in a later round must not lose the rows of earlier rounds.
        const rows = await (claimedRows.length > 0 ? claiming.catch(() => []) : claiming);
        for (const { endpoint } of rows)
          inProgressCounts.set(endpoint, (inProgressCounts.get(endpoint) ?? 0) + 1);
        claimedRows.push(...rows);
        // Only pairs that used all their slots may have more due rows.
        const claimedByPair = Map.groupBy(rows, getPairKey);
        const fullPairKeys = grants
          .filter((grant) => claimedByPair.get(getPairKey(grant))?.length === grant.slots)
          .map(getPairKey);
        pairs = pairs.filter((pair) => fullPairKeys.includes(getPairKey(pair)));
      }
      return claimedRows;
    },
    onEnd({ endpoint }) {
      const remaining = (inProgressCounts.get(endpoint) ?? 0) - 1;
      if (remaining > 0) inProgressCounts.set(endpoint, remaining);
      else inProgressCounts.delete(endpoint);
    },
  };
}
