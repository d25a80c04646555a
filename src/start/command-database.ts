import type { Kysely } from 'kysely';
import { migrations } from '../app/migrations.ts';
import type { Settings } from '../config/config.ts';
import { readDatabaseTime } from '../engine/clock.ts';
import type { BotSchema } from '../handlers/schema.ts';
import { openDatabase } from '../store/database.ts';
import { DatabaseTooOld } from '../store/version-mismatch.ts';
import { startDatabase } from './parts.ts';
import { blameSetting, fail, StartError } from './run.ts';

interface CommandDatabase {
  db: Kysely<BotSchema>;
  /** The database's time, because the clock of the operator's computer may be wrong. */
  now: Date;
  close(): Promise<void>;
}

/**
 * Opens the app's database for a command. An earlier version's database is refused and not moved aside, because a
 * command that then works on an empty database would mislead its user.
 */
export async function openCommandDatabase(settings: Settings): Promise<CommandDatabase> {
  const { dialect, setting, close } = await startDatabase(settings, fail);
  const opening = openDatabase<BotSchema>({ dialect, migrations });
  const db = await blameSetting(
    setting,
    opening.catch((error: unknown) => rethrowWithAdvice(error, setting)),
  );
  return {
    db,
    now: new Date(await readDatabaseTime(db)),
    async close() {
      await db.destroy();
      await close();
    },
  };
}

function rethrowWithAdvice(error: unknown, setting: string): never {
  if (setting !== 'DATA_DIR' || !(error instanceof DatabaseTooOld)) throw error;
  throw new StartError(`${error.message}. \`npm start\` moves it aside and creates a new one`, {
    cause: error,
  });
}
