import { type RawBuilder, sql } from 'kysely';

/** New values by column name. */
export type Changes = Readonly<Record<string, unknown>>;

/** Postgres refuses NUL in text, and ids of other systems may contain it. */
const withoutNul = (_key: string, value: unknown) =>
  typeof value === 'string' && value.includes('\0') ? value.replaceAll('\0', '\uFFFD') : value;

/** The changes of many rows as JSON, for `jsonb_to_recordset`. Each row may change different columns. */
export function changesJson(rows: readonly { change: Changes }[]): string {
  return JSON.stringify(rows, withoutNul);
}

/** Assigns `v.change`, a JSON object, to the row `t`. Columns that it doesn't contain stay unchanged. */
export function assignChanges(rows: readonly { change: Changes }[]): RawBuilder<unknown> {
  const names = [...new Set(rows.flatMap(({ change }) => Object.keys(change)))];
  const columns = sql.join(names.map((name) => sql.ref(name)));
  return sql`(${columns}) = (select ${columns} from jsonb_populate_record(t, v.change))`;
}
