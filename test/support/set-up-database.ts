import { afterAll } from 'vitest';
import { type BotDatabase, openBotDatabase } from './bot-database.ts';

/** Opens an empty database for the tests of a file, and closes it after them. */
export async function setUpBotDatabase(): Promise<BotDatabase> {
  const database = await openBotDatabase();
  afterAll(() => database.close());
  return database;
}
