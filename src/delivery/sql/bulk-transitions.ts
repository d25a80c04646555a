import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { BotSchema } from '../../store/schema.ts';
import type { Change, Deliveries } from '../definition.ts';
import { assertWay, entering, statesWhere } from '../lifecycle.ts';
import { changesJson, changesOf } from './changes.ts';

/** How many rows are in each state now. */
export type Moved<State extends string> = Partial<Record<State, number>>;

/**
 * Transitions of all rows in these states that `where` finds, whoever has claimed them: their fencing token rises, so
 * that what somebody does with them just now changes nothing any more.
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
  for (const was of from) assertWay(deliveries.lifecycle, was, to);
  const moves = from.map((was) => ({ was, to }));
  return (await moveAll(db, deliveries, moves, { where, at, change }))[to] ?? 0;
}

/** The app leaves this workspace: its rows go where their lifecycle says (`left`), and nobody is notified any more. */
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
  await sql`update ${sql.table(table)} set tell_at = null where ${where} and tell_at is not null`.execute(db);
}

/**
 * A backup was restored, and nothing is started yet: nothing of that time is sent by itself. Rows go where their
 * lifecycle says (`restored`).
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
      ...{ where: sql`true`, at: now, change: restored.moved(now), isPast: restored.isPast?.(now) },
    });
    if (restored.stayed) {
      const stay = [{ change: restored.stayed }];
      await sql`update ${sql.table(table)} t set ${changesOf(stay)}
        from jsonb_to_recordset(${changesJson(stay)}::jsonb) as v(change jsonb)
        where state in (${sql.join(staying)})`.execute(changes);
    }
    return moved;
  });
}

interface Move<State> {
  was: State;
  to: State;
  /** Only rows that are past their moment, or only others. */
  past?: boolean;
}

/** Every move in one statement, so that no row is moved twice. */
async function moveAll<State extends string, Row>(
  db: Kysely<BotSchema>,
  { table, lifecycle, alsoSets }: Deliveries<State, Row>,
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
      ...{ why: null, lease_until: null, telling_since: null, tells: 0 },
      ...alsoSets?.(to),
      ...change,
      ...entering(lifecycle, to, at),
    },
  }));
  const { rows } = await sql<{ state: State; count: number }>`
    with moved as (
      update ${sql.table(table)} t set fence = t.fence + 1, ${changesOf(changes)}
      from jsonb_to_recordset(${changesJson(changes)}::jsonb) as v(was text, past boolean, change jsonb)
      where t.state = v.was and (v.past is null or v.past = coalesce(${isPast}, false)) and ${where}
      returning t.state
    )
    select state, count(*)::int as count from moved group by state`.execute(db);
  const moved: Moved<State> = {};
  for (const { state, count } of rows) moved[state] = count;
  return moved;
}
