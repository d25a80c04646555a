import type { Kysely } from 'kysely';
import type { BotSchema } from '../store/schema.ts';
import type { DeliveryRow } from './columns.ts';
import type { Definition } from './definition.ts';
import { later } from './later.ts';
import { statesWhere } from './lifecycle.ts';
import { createRoundRobin, keyOf } from './round-robin.ts';
import { type Claimable, claimRows, duePairs, type Pair } from './sql/claims.ts';

interface Claims<Row> {
  /** Claims up to `free` due rows, taking turns between pairs of endpoint and workspace. */
  claim(free: number): Promise<Row[]>;
  /** Called when the step of a claimed row has ended. */
  onEnd(row: Pick<DeliveryRow, 'endpoint'>): void;
}

/** The rows of a definition that this version may claim. */
export function claimableOf<State extends string>(
  {
    table,
    lifecycle,
    setAsideBy = ['id'],
  }: Pick<Definition<State, never>, 'table' | 'lifecycle' | 'setAsideBy'>,
  setAside: readonly string[],
): Claimable {
  const states = statesWhere(lifecycle, ({ waitsFor }) => waitsFor === 'us');
  return { table, states, setAsideBy, setAside };
}

const START: Pair = { endpoint: '', workspace: '' };

/** Claims rows fairly, and counts the rows in progress at each endpoint. */
export function createClaims<Row extends DeliveryRow>(at: {
  db: Kysely<BotSchema>;
  clock: () => Date;
  claimable(): Claimable;
  leaseMs: number;
  /** Maximum number of rows in progress at an endpoint. */
  limit(endpoint: string): number;
}): Claims<Row> {
  const { db, clock, claimable, leaseMs, limit } = at;
  const roundRobin = createRoundRobin();
  const inProgress = new Map<string, number>();
  let cursor = START;
  const roomAt = (endpoint: string) => limit(endpoint) - (inProgress.get(endpoint) ?? 0);

  return {
    async claim(free) {
      const found = await duePairs(db, claimable(), { at: clock(), after: cursor });
      cursor = found.next ?? START;
      const claimed: Row[] = [];
      for (let pairs = found.pairs; pairs.length > 0 && claimed.length < free; ) {
        const grants = roundRobin.deal(pairs, free - claimed.length, roomAt);
        const now = clock();
        const leaseUntil = later(now, leaseMs);
        const taking = claimRows<Row>(db, claimable(), { grants, at: now, leaseUntil });
        // An error now must not lose the rows that were claimed before.
        const rows = await (claimed.length > 0 ? taking.catch(() => []) : taking);
        for (const { endpoint } of rows) inProgress.set(endpoint, (inProgress.get(endpoint) ?? 0) + 1);
        claimed.push(...rows);
        // Unused slots go to pairs that have more due rows.
        const taken = Map.groupBy(rows, keyOf);
        const full = grants.filter((grant) => taken.get(keyOf(grant))?.length === grant.slots).map(keyOf);
        pairs = pairs.filter((pair) => full.includes(keyOf(pair)));
      }
      return claimed;
    },
    onEnd({ endpoint }) {
      const left = (inProgress.get(endpoint) ?? 0) - 1;
      if (left > 0) inProgress.set(endpoint, left);
      else inProgress.delete(endpoint);
    },
  };
}
