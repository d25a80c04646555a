import { type RawBuilder, sql } from 'kysely';

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
