import { verifyRecord } from './access/record/verify.ts';
import { readSettings } from './config.ts';
import { keepOut } from './observability/redact.ts';
import { startDatabase } from './start/parts.ts';
import { fail, run } from './start/run.ts';
import { secretsOf } from './start/secrets-of.ts';
import { startedBy } from './start/start-error.ts';
import { openDatabase } from './store/database.ts';
import { migrations } from './store/migrations.ts';
import type { BotSchema } from './store/schema.ts';
import { withoutStatementLimit } from './store/statement-limit.ts';

/**
 * Says of each workspace's record whether it is whole, with its end; ends with 1 where one is not. Who keeps an end
 * apart from the database can see later that nothing before it was changed.
 */
async function verify(): Promise<undefined> {
  const settings = readSettings(process.env);
  keepOut(...secretsOf(settings));
  const database = await startDatabase(settings, fail);
  const db = await startedBy(
    database.setting,
    openDatabase<BotSchema>({ dialect: database.dialect, migrations }),
  );
  const verified = await verifyRecord(db);
  for (const one of verified) {
    console.log(
      one.kind === 'whole'
        ? `${one.workspace}: whole, ${one.rows} rows, ends with ${one.hash}`
        : `${one.workspace}: NOT whole at row ${one.seq} (${one.what})`,
    );
  }
  if (verified.length === 0) console.log('Nothing is recorded yet.');
  if (verified.some(({ kind }) => kind === 'broken')) process.exitCode = 1;
  await db.destroy();
  await database.close();
}

await run(() => withoutStatementLimit(verify));
