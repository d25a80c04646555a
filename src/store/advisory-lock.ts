import { type QueryExecutorProvider, sql } from 'kysely';

/** Waits for the lock with this name, and holds it until the transaction ends. The name needs no row. */
export async function lockUntilEnd(transaction: QueryExecutorProvider, name: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${name}, 0))`.execute(transaction);
}
