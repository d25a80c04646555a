import { type Kysely, sql } from 'kysely';
import type { BotSchema } from './schema.ts';

/** Reads the database's clock, which all instances share. Resolves with ms since the epoch. */
export async function readDatabaseTime(db: Kysely<BotSchema>): Promise<number> {
  const milliseconds = sql<number>`(extract(epoch from clock_timestamp()) * 1000)::float8`;
  const { time } = await db.selectNoFrom(milliseconds.as('time')).executeTakeFirstOrThrow();
  return time;
}
