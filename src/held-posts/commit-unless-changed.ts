import type { Kysely, Transaction } from 'kysely';
import type { HeldPostTables } from './held-post.ts';

/** Thrown inside a transaction, which is then rolled back, because somebody else has changed a row meanwhile. */
export class ChangedMeanwhile extends Error {
  override name = 'ChangedMeanwhile';
}

/** Runs a transaction. Resolves with undefined, and changes nothing, if it throws `ChangedMeanwhile`. */
export async function commitUnlessChanged<Result>(
  { db }: { db: Kysely<HeldPostTables> },
  change: (transaction: Transaction<HeldPostTables>) => Promise<Result>,
): Promise<Result | undefined> {
  try {
    return await db.transaction().execute(change);
  } catch (error) {
    if (error instanceof ChangedMeanwhile) return undefined;
    throw error;
  }
}
