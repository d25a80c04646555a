import { type Kysely, sql } from 'kysely';
import type { BotSchema } from './schema.ts';

/** The database's clock, which all instances share, in ms since 1970. */
export async function databaseTime(db: Kysely<BotSchema>): Promise<number> {
  const ms = sql<number>`(extract(epoch from clock_timestamp()) * 1000)::float8`;
  const { at } = await db.selectNoFrom(ms.as('at')).executeTakeFirstOrThrow();
  return at;
}
