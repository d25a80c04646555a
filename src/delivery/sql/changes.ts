import { type RawBuilder, sql } from 'kysely';

/** Columns that change, by name. */
export type Changes = Readonly<Record<string, unknown>>;

/** Postgres takes no NUL in a text, and ids of other systems may hold one. */
const withoutNul = (_key: string, value: unknown) =>
  typeof value === 'string' && value.includes('\0') ? value.replaceAll('\0', '\uFFFD') : value;

/** Rows of a statement that changes many rows, each in columns of its own. */
export function changesJson(rows: readonly { change: Changes }[]): string {
  return JSON.stringify(rows, withoutNul);
}

/** The assignment of `v.change`, a JSON object, to the row `t`: columns that it doesn't name stay as they are. */
export function changesOf(rows: readonly { change: Changes }[]): RawBuilder<unknown> {
  const names = [...new Set(rows.flatMap(({ change }) => Object.keys(change)))];
  const columns = sql.join(names.map((name) => sql.ref(name)));
  return sql`(${columns}) = (select ${columns} from jsonb_populate_record(t, v.change))`;
}
