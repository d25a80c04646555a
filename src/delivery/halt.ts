import type { Kysely } from 'kysely';
import type { BotSchema } from '../store/schema.ts';

/** An operator's stop of all sending. */
interface Halt {
  /** As the operator wrote it; '' for none. */
  reason: string;
  since: Date;
}

/** The key of the table's only row. */
const ALL = 'sending';

/** Stops all submissions and digests. Keeps the reason and the moment of an earlier stop. */
export async function stopSending(db: Kysely<BotSchema>, halt: Halt): Promise<void> {
  await db
    .insertInto('halt')
    .values({ name: ALL, ...halt })
    .onConflict((conflict) => conflict.column('name').doNothing())
    .execute();
}

/** Makes halted submissions due at once. False if sending wasn't stopped. */
export async function resumeSending(db: Kysely<BotSchema>, at: Date): Promise<boolean> {
  const deleted = await db.deleteFrom('halt').where('name', '=', ALL).returning('name').execute();
  await db
    .updateTable('submission')
    .set({ next_at: at })
    .where('state', '=', 'retryable')
    .where('reason', '=', 'halted')
    .execute();
  return deleted.length > 0;
}

/** Undefined while sending isn't stopped. */
export async function currentHalt(db: Kysely<BotSchema>): Promise<Halt | undefined> {
  return db.selectFrom('halt').select(['reason', 'since']).where('name', '=', ALL).executeTakeFirst();
}
