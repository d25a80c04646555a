import { type QueryExecutorProvider, type RawBuilder, sql } from 'kysely';
import { listColumns, toJsonParameter } from '../../store/column-values.ts';
import type { Storage } from '../capability.ts';
import { followDeliveries, mayChangeOwner } from './owners.ts';

/** The compare-and-set of one row, which must still have this fence and state. */
export interface RowTransition {
  id: string;
  fence: number;
  fromState: string;
  /** Whether the new state is a sending state. No row enters one while all sending, or its project, is stopped. */
  isSendingState: boolean;
  /** The id of the row's project. */
  project: string | undefined;
  /** How a row that enters a sending state is sent: see `Storage.sendingCondition`. */
  via: object | undefined;
  /** The columns that change, by name. */
  change: Changes;
}

/**
 * Applies transitions in one statement and resolves with the changed rows. If a row is missing from the result, another
 * instance has changed it, sending is stopped, or it may not be sent in this way. The owners of the rows change in the same statement.
 */
export async function applyTransitions<State extends string, Row>(
  db: QueryExecutorProvider,
  {
    table,
    lifecycle,
    owner,
    sendingCondition,
  }: Pick<Storage<State, Row>, 'table' | 'lifecycle' | 'owner' | 'sendingCondition'>,
  transitions: readonly RowTransition[],
): Promise<Row[]> {
  const ids = transitions.map(({ id }) => id);
  // Postgres expects 100 rows from any JSON, so it would read a small table as a whole. The list of ids prevents that.
  const update = sql`
    update ${sql.table(table)} t
    set ${assignChanges(transitions)}
    from v where t.id in (${sql.join(ids)}) and t.id = v.id and t.fence = v.fence and t.state = v."fromState"
      and (not v."isSendingState" or not exists (
        select from sending_stop s where s.workspace = '' or (s.workspace = t.workspace and s.project = v.project)))
      ${sendingCondition ? sql`and (v.via is null or ${sendingCondition})` : sql``}
    returning t.*`;
  const changesOwners = transitions.some(({ fromState, change }) =>
    mayChangeOwner(lifecycle, fromState, change.state),
  );
  const statement =
    owner && changesOwners
      ? sql`, changed as (${update}), followed as (${followDeliveries({ lifecycle, owner }, sql`changed`)})
        select * from changed`
      : update;
  const { rows } = await sql<Row>`
    with v as (
      select * from jsonb_to_recordset(${toJsonParameter(transitions)}::jsonb)
        as v(id text, fence int, "fromState" text, "isSendingState" boolean, project text, via jsonb, change jsonb)
    )${statement}`.execute(db);
  return rows;
}

/** New values by column name. */
export type Changes = Readonly<Record<string, unknown>>;

/** SQL that assigns the JSON object `v.change` to the row `t`. Columns that aren't in the object don't change. */
export function assignChanges(rows: readonly { change: Changes }[]): RawBuilder<unknown> {
  const columns = listColumns(rows.flatMap(({ change }) => Object.keys(change)));
  return sql`(${columns}) = (select ${columns} from jsonb_populate_record(t, v.change))`;
}
