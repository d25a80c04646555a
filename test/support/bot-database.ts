import type { Kysely } from 'kysely';
import { migrations } from '../../src/app/migrations.ts';
import type { BotSchema } from '../../src/handlers/schema.ts';
import { createBotDatabaseFolder } from './database-folder.ts';
import { openPGlite } from './open-pglite.ts';
import { shareDatabase } from './shared-database.ts';

export interface BotDatabase {
  db: Kysely<BotSchema>;
  close(): Promise<void>;
}

/** Opens an empty database. */
export const openBotDatabase = shareDatabase<BotSchema>({
  createFolder: createBotDatabaseFolder,
  open: openPGlite,
  migrations,
});
