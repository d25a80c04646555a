import { type QueryExecutorProvider, type RawBuilder, sql } from 'kysely';

/**
 * Deletes up to `limit` rows that meet `condition`, those with the earliest `orderBy` first. Skips rows that another
 * instance is changing. Resolves with the number of deleted rows.
 */
export async function deleteBatch(
  db: QueryExecutorProvider,
  table: string,
  batch: { key: string; condition: RawBuilder<unknown>; orderBy: string; limit: number },
): Promise<number> {
  const { key, condition, orderBy, limit } = batch;
  const result = await sql`delete from ${sql.table(table)} where ${sql.ref(key)} = any(array(
    select ${sql.ref(key)} from ${sql.table(table)} where ${condition}
    order by ${sql.ref(orderBy)} limit ${limit} for update skip locked))`.execute(db);
  return Number(result.numAffectedRows ?? 0);
}
