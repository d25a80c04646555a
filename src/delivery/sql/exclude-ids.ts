import { type RawBuilder, sql } from 'kysely';

/** SQL condition that excludes rows with one of these ids in one of these columns. */
export function excludeIds(columns: readonly string[], ids: readonly string[]): RawBuilder<unknown> {
  if (ids.length === 0) return sql`true`;
  return sql.join(
    columns.map((column) => sql`${sql.ref(column)} not in (${sql.join(ids)})`),
    sql` and `,
  );
}
