import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { BotSchema } from '../../store/schema.ts';
import { type Changes, changesJson, changesOf } from './changes.ts';

/** One compare-and-set: the row must still have this fence and state. */
export interface RowTransition {
  id: string;
  fence: number;
  was: string;
  /** The call follows: nothing comes there while all sending is stopped. */
  sends: boolean;
  /** The columns that change, by name. */
  change: Changes;
  /** What `beside` reads. */
  note?: Readonly<Record<string, unknown>> | undefined;
}

/**
 * Many transitions in one statement; the rows as they are after them. Those that are missing have gone on in other
 * hands. `beside`: what changes with them elsewhere, as a further `with` query over `moved` (the rows) and `v` (the notes).
 */
export async function applyTransitions<Row>(
  db: Kysely<BotSchema>,
  table: string,
  transitions: readonly RowTransition[],
  beside?: RawBuilder<unknown>,
): Promise<Row[]> {
  const { rows } = await sql<Row>`
    with v as (
      select * from jsonb_to_recordset(${changesJson(transitions)}::jsonb)
        as v(id text, fence int, was text, sends boolean, change jsonb, note jsonb)
    ), moved as (
      update ${sql.table(table)} t
      set ${changesOf(transitions)}
      from v where t.id = v.id and t.fence = v.fence and t.state = v.was
        and (not v.sends or not exists (select from halt))
      returning t.*
    )${beside ? sql`, beside as (${beside})` : sql``}
    select * from moved`.execute(db);
  return rows;
}
