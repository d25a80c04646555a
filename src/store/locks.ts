import { type QueryExecutorProvider, sql } from 'kysely';

/** Postgres has rolled back a transaction, because it and another one waited for each other's rows. */
const DEADLOCK_DETECTED = '40P01';

/** A transaction that was repeated holds its rows while the others finish, so a second deadlock is rare. */
const MAX_TRIES = 4;

/** Whether Postgres has rolled back a statement or a transaction because of a deadlock. */
export function isDeadlock(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === DEADLOCK_DETECTED;
}

/**
 * Repeats a change of many rows that a deadlock has rolled back. Instances change many rows in one statement too, in an
 * order that nobody chooses. `change` is a whole transaction, or a single statement outside one.
 */
export async function repeatAfterDeadlock<Result>(change: () => Promise<Result>): Promise<Result> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await change();
    } catch (error) {
      if (tries >= MAX_TRIES || !isDeadlock(error)) throw error;
    }
  }
}

/** Waits for the lock with this name, and holds it until the transaction ends. The name needs no row. */
export async function lockUntilEnd(transaction: QueryExecutorProvider, name: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${name}, 0))`.execute(transaction);
}
