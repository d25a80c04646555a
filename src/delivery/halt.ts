import type { Kysely } from 'kysely';
import type { BotSchema } from '../store/schema.ts';

/** Whoever runs the app has stopped all sending. */
interface Halt {
  /** In their own words; '' where they gave none. */
  why: string;
  since: Date;
}

/** There is one, for everything that goes out. */
const ALL = 'sending';

/** Nothing is sent to the service, and no digest posted, from now on; the first one's words stay. */
export async function stopSending(db: Kysely<BotSchema>, halt: Halt): Promise<void> {
  await db
    .insertInto('halt')
    .values({ name: ALL, ...halt })
    .onConflict((conflict) => conflict.column('name').doNothing())
    .execute();
}

/** What waited for it is due at once. False where nothing was stopped. */
export async function resumeSending(db: Kysely<BotSchema>, at: Date): Promise<boolean> {
  const gone = await db.deleteFrom('halt').where('name', '=', ALL).returning('name').execute();
  await db
    .updateTable('submission')
    .set({ next_at: at })
    .where('state', '=', 'retryable')
    .where('why', '=', 'halted')
    .execute();
  return gone.length > 0;
}

/** Asked before anything is claimed or sent. */
export async function haltOf(db: Kysely<BotSchema>): Promise<Halt | undefined> {
  return db.selectFrom('halt').select(['why', 'since']).where('name', '=', ALL).executeTakeFirst();
}
