import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { BotSchema } from '../../store/schema.ts';
import { assignChanges, type Changes, serializeChanges } from './changes.ts';

/** The compare-and-set of one row, which must still have this fence and state. */
export interface RowTransition {
  id: string;
  fence: number;
  fromState: string;
  /** Whether the new state is a sending state. No row enters a sending state while all sending is stopped. */
  sends: boolean;
  /** The columns that change, by name. */
  change: Changes;
  /** Data for `companionQuery`. */
  note?: Readonly<Record<string, unknown>> | undefined;
}

/**
 * Applies transitions in one statement and resolves with the changed rows. A row that isn't returned was changed by
 * another instance, or sending is stopped. `companionQuery` is a further `with` query that changes another table. It
 * may read `changed` (the changed rows) and `v` (with the notes).
 */
export async function applyTransitions<Row>(
  db: Kysely<BotSchema>,
  table: string,
  transitions: readonly RowTransition[],
  companionQuery?: RawBuilder<unknown>,
): Promise<Row[]> {
  const ids = transitions.map(({ id }) => id);
  // Postgres expects 100 rows of any JSON. The list of ids keeps it from reading a small table as a whole.
  const { rows } = await sql<Row>`
    with v as (
      select * from jsonb_to_recordset(${serializeChanges(transitions)}::jsonb)
        as v(id text, fence int, "fromState" text, sends boolean, change jsonb, note jsonb)
    ), changed as (
      update ${sql.table(table)} t
      set ${assignChanges(transitions)}
      from v where t.id in (${sql.join(ids)}) and t.id = v.id and t.fence = v.fence and t.state = v."fromState"
        and (not v.sends or not exists (select from halt))
      returning t.*
    )${companionQuery ? sql`, companion as (${companionQuery})` : sql``}
    select * from changed`.execute(db);
  return rows;
}
