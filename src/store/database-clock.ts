import { type QueryExecutorProvider, sql } from 'kysely';

/** Reads the database's clock, which all instances share. Resolves with ms since the epoch. */
export async function readDatabaseTime(db: QueryExecutorProvider): Promise<number> {
  const { rows } = await sql<{ time: number }>`
    select (extract(epoch from clock_timestamp()) * 1000)::float8 as time`.execute(db);
  return rows[0]?.time ?? Number.NaN;
}
