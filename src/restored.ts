import { readSettings } from './config.ts';
import { startDatabase } from './start/parts.ts';
import { fail, run } from './start/run.ts';
import { startedBy } from './start/start-error.ts';
import { openDatabase } from './store/database.ts';
import { migrations } from './store/migrations.ts';
import type { BotSchema } from './store/schema.ts';
import { markRestored } from './submissions/restore.ts';

/** `npm run restored`: after a backup was put back, and before `npm start`. It sends nothing. */
async function start(): Promise<undefined> {
  const database = await startDatabase(readSettings(process.env), fail);
  const db = await startedBy(
    database.setting,
    openDatabase<BotSchema>({ dialect: database.dialect, migrations }),
  );
  const { unknown, missed } = await markRestored(db, new Date());
  await db.destroy();
  await database.close();
  console.log(words(unknown, missed));
}

function words(unknown: number, missed: number): string {
  if (unknown + missed === 0) return 'Nothing was on its way when the backup was made. `npm start` as usual.';
  return [
    `${unknown} on their way when the backup was made: they may have been sent since. They are looked for after the start, and not sent again unasked.`,
    `${missed} whose moment has passed since: each waits for its person in /upnext outbox.`,
    '`npm start` as usual.',
  ].join('\n');
}

await run(start);
