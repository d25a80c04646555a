import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { BotSchema } from '../../store/schema.ts';
import { assignChanges, type Changes, changesJson } from './changes.ts';

/** One compare-and-set: the row must still have this fence and state. */
export interface RowTransition {
  id: string;
  fence: number;
  was: string;
  /** Whether the new state is a sending state, which no row enters while all sending is stopped. */
  sends: boolean;
  /** The columns that change, by name. */
  change: Changes;
  /** Data for `alongside`. */
  note?: Readonly<Record<string, unknown>> | undefined;
}

/**
 * Applies transitions in one statement and resolves with the changed rows. A missing row was changed by somebody else.
 * `alongside` is a further `with` query, for a change of another table. It may read `moved` (the rows) and `v` (the notes).
 */
export async function applyTransitions<Row>(
  db: Kysely<BotSchema>,
  table: string,
  transitions: readonly RowTransition[],
  alongside?: RawBuilder<unknown>,
): Promise<Row[]> {
  const ids = transitions.map(({ id }) => id);
  // Postgres expects 100 rows of any JSON. The list of ids keeps it from reading a small table as a whole.
  const { rows } = await sql<Row>`
    with v as (
      select * from jsonb_to_recordset(${changesJson(transitions)}::jsonb)
        as v(id text, fence int, was text, sends boolean, change jsonb, note jsonb)
    ), moved as (
      update ${sql.table(table)} t
      set ${assignChanges(transitions)}
      from v where t.id in (${sql.join(ids)}) and t.id = v.id and t.fence = v.fence and t.state = v.was
        and (not v.sends or not exists (select from halt))
      returning t.*
    )${alongside ? sql`, alongside as (${alongside})` : sql``}
    select * from moved`.execute(db);
  return rows;
}
