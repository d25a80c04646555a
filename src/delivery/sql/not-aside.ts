import { type RawBuilder, sql } from 'kysely';

/** Leaves out rows that this instance has set aside. */
export function notAside(columns: readonly string[], ids: readonly string[]): RawBuilder<unknown> {
  if (ids.length === 0) return sql`true`;
  return sql.join(
    columns.map((column) => sql`${sql.ref(column)} not in (${sql.join(ids)})`),
    sql` and `,
  );
}
