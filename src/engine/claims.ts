import { type Kysely, type QueryExecutorProvider, type RawBuilder, sql } from 'kysely';
import { toJsonParameter } from '../store/column-values.ts';
import type { Storage } from './capability.ts';
import { addMs } from './clock.ts';
import type { DeliveryRow } from './columns.ts';
import { excludeIds } from './exclusions.ts';
import { filterStates } from './lifecycle.ts';
import type { NotificationTable } from './sql/notifications.ts';
import type { EngineTables } from './tables.ts';

interface Claims<Row> {
  /** Claims up to `freeSlots` due rows. Pairs of endpoint and workspace take turns. */
  claim(freeSlots: number): Promise<Row[]>;
  /** Frees the slot of a claimed row whose step has ended. */
  releaseSlot(row: Pick<DeliveryRow, 'endpoint'>): void;
}

/** Describes which rows of a delivery table this version may claim. */
export function buildClaimFilter<State extends string>(
  filter: Pick<Storage<State, never>, 'table' | 'lifecycle'> & {
    exclusionColumns?: readonly string[] | undefined;
  },
  excludedIds: readonly string[],
): ClaimFilter {
  const { table, lifecycle, exclusionColumns = ['id'] } = filter;
  const states = filterStates(lifecycle, ({ waitsFor }) => waitsFor === 'upnext');
  return { table, states, exclusionColumns, excludedIds };
}

const START_CURSOR: EndpointWorkspace = { endpoint: '', workspace: '' };

/** Creates what claims due rows of a capability. Endpoints and workspaces take turns; each endpoint has a limit. */
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
  const distribute = createRoundRobin();
  const inProgressCounts = new Map<string, number>();
  let cursor = START_CURSOR;
  const countFreeSlots = (endpoint: string) => getLimit(endpoint) - (inProgressCounts.get(endpoint) ?? 0);

  /** Adds rows of these pairs to `claimedRows`, until there are `maxRows`. */
  async function claimPairs(
    duePairs: readonly EndpointWorkspace[],
    { claimedRows, maxRows }: { claimedRows: Row[]; maxRows: number },
  ): Promise<void> {
    for (let pairs = duePairs; pairs.length > 0 && claimedRows.length < maxRows; ) {
      const allocations = distribute(pairs, maxRows - claimedRows.length, countFreeSlots);
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

/**
 * Creates a fair distribution of slots: a workspace with thousands of due rows doesn't delay a workspace with one row. It
 * distributes them one at a time over pairs of endpoint and workspace. The pair that was served longest ago comes first.
 * No endpoint gets more slots than `countFreeSlots` returns for it.
 */
function createRoundRobin() {
  /** The round in which each pair was last served. A pair without due rows is removed, so its next rows come first. */
  let lastServedRounds = new Map<string, number>();
  let round = 0;
  return (
    pairs: readonly EndpointWorkspace[],
    freeSlots: number,
    countFreeSlots: (endpoint: string) => number,
  ): SlotAllocation[] => {
    const candidates = pairs
      .map((pair) => ({ pair, key: getPairKey(pair), slots: 0 }))
      .sort((a, b) => (lastServedRounds.get(a.key) ?? 0) - (lastServedRounds.get(b.key) ?? 0));
    const slotsByEndpoint = new Map(pairs.map(({ endpoint }) => [endpoint, countFreeSlots(endpoint)]));
    for (
      let remaining = freeSlots, allocatedCount = 1;
      remaining > 0 && allocatedCount > 0;
      remaining -= allocatedCount
    ) {
      allocatedCount = 0;
      for (const candidate of candidates) {
        const endpointSlots = slotsByEndpoint.get(candidate.pair.endpoint) ?? 0;
        if (endpointSlots <= 0 || allocatedCount >= remaining) continue;
        slotsByEndpoint.set(candidate.pair.endpoint, endpointSlots - 1);
        candidate.slots += 1;
        allocatedCount += 1;
      }
    }
    const servedCandidates = candidates.filter(({ slots }) => slots > 0);
    round += 1;
    lastServedRounds = new Map(
      candidates.map(({ key, slots }) => [key, slots > 0 ? round : (lastServedRounds.get(key) ?? 0)]),
    );
    return servedCandidates.map(({ pair, slots }) => ({ ...pair, slots }));
  };
}

function getPairKey({ endpoint, workspace }: EndpointWorkspace): string {
  return JSON.stringify([endpoint, workspace]);
}

/** The endpoint and the workspace of due rows. Such pairs take turns, so that no pair delays the others. */
interface EndpointWorkspace {
  endpoint: string;
  workspace: string;
}

/** A pair and the maximum number of its rows to claim. */
interface SlotAllocation extends EndpointWorkspace {
  slots: number;
}

export interface ClaimFilter {
  table: string;
  /** The states that wait for Upnext and are known to this version. */
  states: readonly string[];
  excludedIds: readonly string[];
  /** The columns to compare with `excludedIds`. */
  exclusionColumns: readonly string[];
}

/** Page size of `findDuePairs`: the maximum number of oldest due rows, and of additional pairs, that one call reads. */
const PAGE_SIZE = 500;

/**
 * Finds pairs with due rows. Reads the `PAGE_SIZE` oldest due rows. If there are that many, other workspaces may have due
 * rows too, so it also reads a page of all pairs. `after` is the last pair of the previous page, and `next` the last pair
 * of this one.
 *
 * Each lookup sorts by all columns of an index, so that Postgres uses that index. If most due rows belong to one pair,
 * Postgres expects many rows of every pair, and would otherwise read the whole table to find that a pair has none.
 */
async function findDuePairs(
  db: QueryExecutorProvider,
  { table }: Pick<ClaimFilter, 'table'>,
  { now, after }: { now: Date; after: EndpointWorkspace },
): Promise<{ pairs: EndpointWorkspace[]; next: EndpointWorkspace | undefined }> {
  const source = sql.table(table);
  const { rows } = await sql<EndpointWorkspace & { position: number; is_due: boolean }>`
    with recursive oldest as materialized (
      select endpoint, workspace from ${source} where next_at <= ${now} order by next_at limit ${PAGE_SIZE}
    ), pair(endpoint, workspace, next_at, position) as (
      (select endpoint, workspace, next_at, 1 from ${source}
        where next_at is not null and (endpoint, workspace) > (${after.endpoint}, ${after.workspace})
          and (select count(*) from oldest) = ${PAGE_SIZE}
        order by endpoint, workspace, next_at limit 1)
      union all
      select next.endpoint, next.workspace, next.next_at, pair.position + 1 from pair cross join lateral (
        select endpoint, workspace, next_at from ${source}
        where next_at is not null and (endpoint, workspace) > (pair.endpoint, pair.workspace)
        order by endpoint, workspace, next_at limit 1) next
      where pair.position < ${PAGE_SIZE}
    )
    select endpoint, workspace, 0 as position, true as is_due from oldest group by 1, 2
    union all
    select endpoint, workspace, position, next_at <= ${now} from pair`.execute(db);
  const pairs = new Map<string, EndpointWorkspace>();
  for (const { endpoint, workspace, is_due } of rows) {
    if (is_due) pairs.set(JSON.stringify([endpoint, workspace]), { endpoint, workspace });
  }
  const lastPair = rows.find(({ position }) => position === PAGE_SIZE);
  return {
    pairs: [...pairs.values()],
    next: lastPair && { endpoint: lastPair.endpoint, workspace: lastPair.workspace },
  };
}

/** Claims the oldest due rows of each allocation until `leaseUntil`. Compares rows as `findDuePairs` does. */
async function claimRows<Row>(
  db: QueryExecutorProvider,
  filter: ClaimFilter,
  { allocations, now, leaseUntil }: { allocations: readonly SlotAllocation[]; now: Date; leaseUntil: Date },
): Promise<Row[]> {
  if (allocations.length === 0) return [];
  const table = sql.table(filter.table);
  const { rows } = await sql<Row>`
    with turn as (
      select * from jsonb_to_recordset(${toJsonParameter(allocations)}::jsonb)
        as turn(endpoint text, workspace text, slots int)
    ), picked as materialized (
      select due.id from turn cross join lateral (
        select id from ${table}
        where next_at is not null and (endpoint, workspace, next_at) > (turn.endpoint, turn.workspace, '-infinity')
          and (endpoint, workspace, next_at) <= (turn.endpoint, turn.workspace, ${now})
          and (lease_until is null or lease_until <= ${now}) and ${buildClaimCondition(filter)}
        order by endpoint, workspace, next_at limit turn.slots for update skip locked) due
    )
    update ${table} set lease_until = ${leaseUntil}, next_at = ${leaseUntil}, fence = fence + 1
    where id = any(array(select id from picked)) returning *`.execute(db);
  return rows;
}

/** The earliest time of each kind of work; undefined if there is none. */
export interface NextTimes {
  due?: Date;
  notification?: Date;
  /** When the definition's `creation` has rows to create, on the clock that people see. */
  creation?: Date;
}

/** Finds the next times of all kinds of work with one statement. */
export async function findNextTimes(
  db: QueryExecutorProvider,
  filter: ClaimFilter,
  work: { notificationTables: readonly NotificationTable[]; creation: RawBuilder<unknown> | undefined },
): Promise<NextTimes> {
  const { notificationTables, creation } = work;
  const notificationTimes = notificationTables.map(
    ({ table, exclusionColumns }) =>
      sql`(select min(notify_at) from ${sql.table(table)}
        where ${excludeIds(exclusionColumns, filter.excludedIds)})`,
  );
  const { rows } = await sql<{ due: Date | null; notification: Date | null; creation: Date | null }>`
    select (select min(next_at) from ${sql.table(filter.table)}
        where next_at is not null and ${buildClaimCondition(filter)}) as due,
      least(${sql.join(notificationTimes)}) as notification,
      ${creation ?? sql`null::timestamptz`} as creation`.execute(db);
  return Object.fromEntries(Object.entries(rows[0] ?? {}).filter(([, time]) => time !== null));
}

/** Ends a claim early, so that another instance can claim the row at once. */
export async function releaseRow(
  db: QueryExecutorProvider,
  table: string,
  { id, fence, now }: { id: string; fence: number; now: Date },
): Promise<void> {
  await sql`update ${sql.table(table)} set lease_until = null, next_at = ${now}
    where id = ${id} and fence = ${fence} and lease_until is not null`.execute(db);
}

/** SQL condition for rows that this version and instance may claim. */
function buildClaimCondition({ states, excludedIds, exclusionColumns }: ClaimFilter): RawBuilder<unknown> {
  return sql`state in (${sql.join(states)}) and ${excludeIds(exclusionColumns, excludedIds)}`;
}
