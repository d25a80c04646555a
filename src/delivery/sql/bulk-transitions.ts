import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { BotSchema } from '../../store/schema.ts';
import type { Change, Deliveries } from '../definition.ts';
import { assertTransition, entryColumns, statesWhere } from '../lifecycle.ts';
import { assignChanges, changesJson } from './changes.ts';

/** The number of moved rows by their new state. */
export type Moved<State extends string> = Partial<Record<State, number>>;

/**
 * Transitions of all rows in these states that match `where`, claimed or not. Each row's fencing token is incremented, so
 * the instance that had claimed it can no longer change it. Returns the number of rows.
 */
export async function transitionAll<State extends string, Row>(
  db: Kysely<BotSchema>,
  deliveries: Deliveries<State, Row>,
  {
    from,
    to,
    where,
    at,
    change,
  }: {
    from: readonly State[];
    to: State;
    where: RawBuilder<unknown>;
    at: Date;
    change?: Change<Row>;
  },
): Promise<number> {
  for (const was of from) assertTransition(deliveries.lifecycle, was, to);
  const moves = from.map((was) => ({ was, to }));
  return (await moveAll(db, deliveries, moves, { where, at, change }))[to] ?? 0;
}

/** Applies `left` of the lifecycle to the rows of a workspace that the app leaves, and closes their notifications. */
export async function leaveWorkspace<State extends string, Row>(
  db: Kysely<BotSchema>,
  deliveries: Deliveries<State, Row>,
  { workspace, at }: { workspace: string; at: Date },
): Promise<void> {
  const { table, lifecycle } = deliveries;
  const where = sql`workspace = ${workspace}`;
  const moves = statesWhere(lifecycle, () => true).flatMap((was) => {
    const to = lifecycle[was].left;
    return to === undefined ? [] : [{ was, to }];
  });
  await moveAll(db, deliveries, moves, { where, at });
  await sql`update ${sql.table(table)} set notify_at = null where ${where} and notify_at is not null`.execute(
    db,
  );
}

/**
 * Applies `restored` of the lifecycle to all rows after a backup was restored. Run it before any instance starts, so that
 * no row that may have been sent since the backup is sent again.
 */
export function restoreDeliveries<State extends string, Row>(
  db: Kysely<BotSchema>,
  deliveries: Deliveries<State, Row>,
  now: Date,
): Promise<Moved<State>> {
  const { table, lifecycle, restored } = deliveries;
  const moves = statesWhere(lifecycle, () => true).flatMap((was): Move<State>[] => {
    const { to, past = to } = lifecycle[was].restored ?? {};
    return to === undefined || past === undefined
      ? []
      : [
          { was, to, past: false },
          { was, to: past, past: true },
        ];
  });
  const staying = statesWhere(lifecycle, (rule) => rule.waitsFor === 'person' && !rule.restored);
  return db.transaction().execute(async (changes) => {
    const moved = await moveAll(changes, deliveries, moves, {
      ...{ where: sql`true`, at: now, change: restored.movedChange(now), isPast: restored.isPast?.(now) },
    });
    if (restored.stayedChange) {
      const stay = [{ change: restored.stayedChange }];
      await sql`update ${sql.table(table)} t set ${assignChanges(stay)}
        from jsonb_to_recordset(${changesJson(stay)}::jsonb) as v(change jsonb)
        where state in (${sql.join(staying)})`.execute(changes);
    }
    return moved;
  });
}

interface Move<State> {
  was: State;
  to: State;
  /** True for overdue rows only, false for others only. Defaults to both. */
  past?: boolean;
}

/** Runs all moves in one statement, so that no row is moved twice. */
async function moveAll<State extends string, Row>(
  db: Kysely<BotSchema>,
  { table, lifecycle, extraChange }: Deliveries<State, Row>,
  moves: readonly Move<State>[],
  {
    where,
    at,
    change,
    isPast = sql`false`,
  }: {
    where: RawBuilder<unknown>;
    at: Date;
    change?: Change<Row> | undefined;
    isPast?: RawBuilder<unknown> | undefined;
  },
): Promise<Moved<State>> {
  const changes = moves.map(({ was, to, past = null }) => ({
    ...{ was, past },
    change: {
      ...{ reason: null, lease_until: null, notifying_since: null, notify_attempts: 0 },
      ...extraChange?.(to),
      ...change,
      ...entryColumns(lifecycle, to, at),
    },
  }));
  const { rows } = await sql<{ state: State; count: number }>`
    with moved as (
      update ${sql.table(table)} t set fence = t.fence + 1, ${assignChanges(changes)}
      from jsonb_to_recordset(${changesJson(changes)}::jsonb) as v(was text, past boolean, change jsonb)
      where t.state = v.was and (v.past is null or v.past = coalesce(${isPast}, false)) and ${where}
      returning t.state
    )
    select state, count(*)::int as count from moved group by state`.execute(db);
  const moved: Moved<State> = {};
  for (const { state, count } of rows) moved[state] = count;
  return moved;
}
