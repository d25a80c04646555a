import { type Kysely, type QueryExecutorProvider, type RawBuilder, sql } from 'kysely';
import { toJsonParameter } from '../../store/column-values.ts';
import type { Change, Storage } from '../capability.ts';
import { assertTransition, buildEntryColumns, filterStates } from '../lifecycle.ts';
import type { EngineTables } from '../tables.ts';
import { followDeliveries } from './owners.ts';
import { assignChanges } from './transitions.ts';

type TransitionCounts<State extends string> = Partial<Record<State, number>>;

/**
 * Transitions every row that is in one of `fromStates` and matches `where`, even if the row is claimed. Increments the
 * fencing token of each row, so that an instance that had claimed the row can no longer change it. Resolves with the
 * number of rows.
 */
export async function transitionAll<State extends string, Row>(
  db: QueryExecutorProvider,
  deliveries: Storage<State, Row>,
  transition: {
    fromStates: readonly State[];
    to: State;
    where: RawBuilder<unknown>;
    now: Date;
    change?: Change<Row>;
  },
): Promise<number> {
  const { fromStates, to, where, now, change } = transition;
  for (const fromState of fromStates) assertTransition(deliveries.lifecycle, fromState, to);
  const transitions = fromStates.map((fromState) => ({ fromState, to }));
  return (await applyBulkTransitions(db, deliveries, transitions, { where, now, change }))[to] ?? 0;
}

/** The changes that take a row from the instance that has claimed it: its fencing token is outdated from now on. */
export const END_CLAIM = { fence: sql<number>`fence + 1`, lease_until: null };

/**
 * Increments the fencing tokens of all rows that are in one of `states` and match `where`, so that no transition of a row
 * that an instance has read before can succeed any more. Claimed rows become due at once, because their claims have ended.
 */
export async function endClaims(
  db: QueryExecutorProvider,
  { table }: { table: string },
  filter: { states: readonly string[]; where: RawBuilder<unknown>; now: Date | RawBuilder<Date> },
): Promise<void> {
  const { states, where, now } = filter;
  await sql`update ${sql.table(table)} set fence = fence + 1, lease_until = null,
      next_at = case when lease_until is null then next_at else ${now} end
    where state in (${sql.join(states)}) and ${where}`.execute(db);
}

/** Transitions an uninstalled workspace's rows to their `afterUninstall` state, and cancels their notifications. */
export async function transitionAfterUninstall<State extends string, Row>(
  db: QueryExecutorProvider,
  deliveries: Storage<State, Row>,
  { workspace, now }: { workspace: string; now: Date },
): Promise<void> {
  const { table, lifecycle } = deliveries;
  const where = sql`workspace = ${workspace}`;
  const transitions = filterStates(lifecycle, () => true).flatMap((fromState) => {
    const to = lifecycle[fromState].afterUninstall;
    return to === undefined ? [] : [{ fromState, to }];
  });
  await applyBulkTransitions(db, deliveries, transitions, { where, now });
  await sql`update ${sql.table(table)} set notify_at = null where ${where} and notify_at is not null`.execute(
    db,
  );
}

interface RestoreOptions<Row> {
  now: Date;
  /** Further changes of rows whose state changes. */
  change?: Change<Row>;
  /** SQL condition for overdue rows, which enter `StateRule.afterRestore.overdue`. Defaults to no rows. */
  overdue?: RawBuilder<unknown>;
  /** Changes of rows that wait for a person and stay in their state. */
  changeOfOthers?: Change<Row>;
}

/**
 * Transitions all rows to their `afterRestore` state after a backup was restored. A row may have been sent since the
 * backup, so call this function before any instance starts.
 */
export function restoreDeliveries<State extends string, Row>(
  db: Kysely<EngineTables>,
  deliveries: Storage<State, Row>,
  { now, change, overdue: overdueCondition, changeOfOthers }: RestoreOptions<Row>,
): Promise<TransitionCounts<State>> {
  const { table, lifecycle } = deliveries;
  const transitions = filterStates(lifecycle, () => true).flatMap((fromState): BulkTransition<State>[] => {
    const { to, overdue = to } = lifecycle[fromState].afterRestore ?? {};
    return to === undefined || overdue === undefined
      ? []
      : [
          { fromState, to, isOverdue: false },
          { fromState, to: overdue, isOverdue: true },
        ];
  });
  const unchangedStates = filterStates(lifecycle, (rule) => rule.waitsFor === 'person' && !rule.afterRestore);
  return db.transaction().execute(async (trx) => {
    const counts = await applyBulkTransitions(trx, deliveries, transitions, {
      where: sql`true`,
      now,
      change,
      overdueCondition,
    });
    if (changeOfOthers) {
      const changes = [{ change: changeOfOthers }];
      await sql`update ${sql.table(table)} t set ${assignChanges(changes)}
        from jsonb_to_recordset(${toJsonParameter(changes)}::jsonb) as v(change jsonb)
        where state in (${sql.join(unchangedStates)})`.execute(trx);
    }
    return counts;
  });
}

interface BulkTransition<State> {
  fromState: State;
  to: State;
  /** True for overdue rows only, false for all other rows only. Defaults to all rows. */
  isOverdue?: boolean;
}

/** Applies all transitions in one statement, so that no row changes its state twice. Its owner changes with it. */
async function applyBulkTransitions<State extends string, Row>(
  db: QueryExecutorProvider,
  { table, lifecycle, onEntry, owner }: Storage<State, Row>,
  transitions: readonly BulkTransition<State>[],
  options: {
    where: RawBuilder<unknown>;
    now: Date;
    change?: Change<Row> | undefined;
    overdueCondition?: RawBuilder<unknown> | undefined;
  },
): Promise<TransitionCounts<State>> {
  const { where, now, change, overdueCondition = sql`false` } = options;
  const changes = transitions.map(({ fromState, to, isOverdue = null }) => ({
    from_state: fromState,
    is_overdue: isOverdue,
    change: {
      reason: null,
      lease_until: null,
      notifying_since: null,
      notify_attempts: 0,
      ...onEntry?.(to),
      ...change,
      ...buildEntryColumns(lifecycle, to, now),
    },
  }));
  const { rows } = await sql<{ state: State; count: number }>`
    with changed as (
      update ${sql.table(table)} t set fence = t.fence + 1, ${assignChanges(changes)}
      from jsonb_to_recordset(${toJsonParameter(changes)}::jsonb)
        as v(from_state text, is_overdue boolean, change jsonb)
      where t.state = v.from_state and ${where}
        and (v.is_overdue is null or v.is_overdue = coalesce(${overdueCondition}, false))
      returning t.*
    )${owner ? sql`, followed as (${followDeliveries({ lifecycle, owner }, sql`changed`)})` : sql``}
    select state, count(*)::int as count from changed group by state`.execute(db);
  const counts: TransitionCounts<State> = {};
  for (const { state, count } of rows) counts[state] = count;
  return counts;
}
