import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { BotSchema } from '../../store/schema.ts';

/** The compare-and-set of one row, which must still have this fence and state. */
export interface RowTransition {
  id: string;
  fence: number;
  fromState: string;
  /** Whether the new state is a sending state. No row enters a sending state while all sending is stopped. */
  isSendingState: boolean;
  /** The columns that change, by name. */
  change: Changes;
  /** Data for `companionQuery`. */
  note?: Readonly<Record<string, unknown>> | undefined;
}

/**
 * Applies transitions in one statement and resolves with the changed rows. A row that isn't returned was changed by
 * another instance, or sending is stopped. `companionQuery` is a further `with` query that changes another table. The
 * query may read `changed` (the changed rows) and `v` (the transitions with their notes).
 */
export async function applyTransitions<Row>(
  db: Kysely<BotSchema>,
  table: string,
  transitions: readonly RowTransition[],
  companionQuery?: RawBuilder<unknown>,
): Promise<Row[]> {
  const ids = transitions.map(({ id }) => id);
  // Postgres estimates 100 rows for any JSON, and therefore reads a small table as a whole. The list of ids prevents
  // that.
  const { rows } = await sql<Row>`
    with v as (
      select * from jsonb_to_recordset(${serializeChanges(transitions)}::jsonb)
        as v(id text, fence int, "fromState" text, "isSendingState" boolean, change jsonb, note jsonb)
    ), changed as (
      update ${sql.table(table)} t
      set ${assignChanges(transitions)}
      from v where t.id in (${sql.join(ids)}) and t.id = v.id and t.fence = v.fence and t.state = v."fromState"
        and (not v."isSendingState" or not exists (select from halt))
      returning t.*
    )${companionQuery ? sql`, companion as (${companionQuery})` : sql``}
    select * from changed`.execute(db);
  return rows;
}

/** New values by column name. */
export type Changes = Readonly<Record<string, unknown>>;

/** Replaces NUL, which Postgres refuses in text. Ids of other systems may contain it. */
const replaceNul = (_key: string, value: unknown) =>
  typeof value === 'string' && value.includes('\0') ? value.replaceAll('\0', '\uFFFD') : value;

/** Converts the changes of many rows to JSON for `jsonb_to_recordset`. Each row may change different columns. */
export function serializeChanges(rows: readonly { change: Changes }[]): string {
  return JSON.stringify(rows, replaceNul);
}

/** SQL that assigns the JSON object `v.change` to the row `t`. Columns that aren't in the object don't change. */
export function assignChanges(rows: readonly { change: Changes }[]): RawBuilder<unknown> {
  const names = [...new Set(rows.flatMap(({ change }) => Object.keys(change)))];
  const columns = sql.join(names.map((name) => sql.ref(name)));
  return sql`(${columns}) = (select ${columns} from jsonb_populate_record(t, v.change))`;
}
