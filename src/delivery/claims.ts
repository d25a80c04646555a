import type { Kysely } from 'kysely';
import type { BotSchema } from '../store/schema.ts';
import type { DeliveryRow } from './columns.ts';
import type { Definition } from './definition.ts';
import { later } from './later.ts';
import { statesWhere } from './lifecycle.ts';
import { createRoundRobin, keyOf } from './round-robin.ts';
import { type Claimable, duePairs, type Pair, takeRows } from './sql/claims.ts';

interface Claims<Row> {
  /** Up to `free` due rows, each pair of endpoint and workspace in its turn. */
  claim(free: number): Promise<Row[]>;
  /** The step of a claimed row has ended. */
  ended(row: Pick<DeliveryRow, 'endpoint'>): void;
}

/** What of a definition's rows this version may claim. */
export function claimableOf<State extends string>(
  { table, lifecycle, asideBy = ['id'] }: Pick<Definition<State, never>, 'table' | 'lifecycle' | 'asideBy'>,
  setAside: readonly string[],
): Claimable {
  const states = statesWhere(lifecycle, ({ waitsFor }) => waitsFor === 'us');
  return { table, states, asideBy, setAside };
}

const START: Pair = { endpoint: '', workspace: '' };

/** Claims rows fairly, and counts what this instance has under way at each endpoint. */
export function createClaims<Row extends DeliveryRow>(at: {
  db: Kysely<BotSchema>;
  clock: () => Date;
  claimable(): Claimable;
  leaseMs: number;
  /** Rows under way at an endpoint at the same time. */
  limit(endpoint: string): number;
}): Claims<Row> {
  const { db, clock, claimable, leaseMs, limit } = at;
  const roundRobin = createRoundRobin();
  const underWay = new Map<string, number>();
  let cursor = START;
  const roomAt = (endpoint: string) => limit(endpoint) - (underWay.get(endpoint) ?? 0);

  return {
    async claim(free) {
      const found = await duePairs(db, claimable(), { at: clock(), after: cursor });
      cursor = found.next ?? START;
      const claimed: Row[] = [];
      for (let pairs = found.pairs; pairs.length > 0 && claimed.length < free; ) {
        const grants = roundRobin.deal(pairs, free - claimed.length, roomAt);
        const now = clock();
        const leaseUntil = later(now, leaseMs);
        const taking = takeRows<Row>(db, claimable(), { grants, at: now, leaseUntil });
        // What was claimed before goes on, whatever happens to the rest.
        const rows = await (claimed.length > 0 ? taking.catch(() => []) : taking);
        for (const { endpoint } of rows) underWay.set(endpoint, (underWay.get(endpoint) ?? 0) + 1);
        claimed.push(...rows);
        // Slots that a pair had no rows for go to those that have more.
        const taken = Map.groupBy(rows, keyOf);
        const full = grants.filter((grant) => taken.get(keyOf(grant))?.length === grant.slots).map(keyOf);
        pairs = pairs.filter((pair) => full.includes(keyOf(pair)));
      }
      return claimed;
    },
    ended({ endpoint }) {
      const left = (underWay.get(endpoint) ?? 0) - 1;
      if (left > 0) underWay.set(endpoint, left);
      else underWay.delete(endpoint);
    },
  };
}
