import { type AuditAction, recordCommand } from '../access/access.ts';
import { migrations } from '../app/migrations.ts';
import { readSettings, type Settings } from '../config/config.ts';
import { readDatabaseTime } from '../engine/clock.ts';
import type { BotSchema } from '../handlers/schema.ts';
import { registerSecrets } from '../observability/redact.ts';
import { openDatabase } from '../store/database.ts';
import { withoutStatementTimeout } from '../store/statement-timeout.ts';
import { DatabaseTooOld } from '../store/version-mismatch.ts';
import { listKnownWorkspaces } from '../workspaces/workspaces.ts';
import { startDatabase } from './parts.ts';
import { blameSetting, fail, run, StartError } from './run.ts';
import { listSecrets } from './secrets.ts';

/**
 * Runs an operator's command on the app's database, and closes the database. Its statements may take long.
 * `checkSettings` throws before a database is opened, and perhaps migrated, in vain.
 */
export async function runOnDatabase(
  work: (database: Awaited<ReturnType<typeof openCommandDatabase>>) => Promise<void>,
  checkSettings: (settings: Settings) => unknown = () => undefined,
): Promise<void> {
  await run(() =>
    withoutStatementTimeout(async () => {
      const settings = readSettings(process.env);
      registerSecrets(...listSecrets(settings));
      checkSettings(settings);
      const database = await openCommandDatabase(settings);
      try {
        await work(database);
      } finally {
        await database.close();
      }
      return undefined;
    }),
  );
}

/**
 * Opens the app's database for a command. An earlier version's database is refused and not moved aside, because a
 * command that then works on an empty database would mislead its user.
 */
async function openCommandDatabase(settings: Settings) {
  const { dialect, setting, close } = await startDatabase(settings, fail);
  const opening = openDatabase<BotSchema>({ dialect, migrations });
  const db = await blameSetting(
    setting,
    opening.catch((error: unknown) => rethrowWithAdvice(error, setting)),
  );
  return {
    db,
    settings,
    /** Adds what the command has done to the audit logs of these workspaces. Defaults to all. */
    async record(action: AuditAction, workspaces?: readonly string[]) {
      await recordCommand(db, {
        workspaces: workspaces ?? (await listKnownWorkspaces(db)),
        action,
        at: new Date(await readDatabaseTime(db)),
      });
    },
    /** The database's time, because the clock of the operator's computer may be wrong. */
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
