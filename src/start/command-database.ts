import type { Kysely } from 'kysely';
import type { Settings } from '../config/config.ts';
import { openDatabase } from '../store/database.ts';
import { DatabaseTooOld } from '../store/database-too-old.ts';
import { migrations } from '../store/migrations.ts';
import type { BotSchema } from '../store/schema.ts';
import { startDatabase } from './parts.ts';
import { fail } from './run.ts';
import { StartError, startedBy } from './start-error.ts';

interface CommandDatabase {
  db: Kysely<BotSchema>;
  close(): Promise<void>;
}

/**
 * The app's database, for a command that works on it and ends. An earlier version's database stays where it is: whoever
 * asks about their data must not be answered from an empty one.
 */
export async function openCommandDatabase(settings: Settings): Promise<CommandDatabase> {
  const { dialect, setting, close } = await startDatabase(settings, fail);
  const opening = openDatabase<BotSchema>({ dialect, migrations });
  const db = await startedBy(
    setting,
    opening.catch((error: unknown) => explain(error, setting)),
  );
  return {
    db,
    async close() {
      await db.destroy();
      await close();
    },
  };
}

function explain(error: unknown, setting: string): never {
  if (setting !== 'DATA_DIR' || !(error instanceof DatabaseTooOld)) throw error;
  throw new StartError(`${error.message}. \`npm start\` moves it aside and makes a new one`, {
    cause: error,
  });
}
