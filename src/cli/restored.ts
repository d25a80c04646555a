import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { type AuditAction, findMissingEntries, type LoggedEntry } from '../access/access.ts';
import { CAPABILITIES, prepareRestored } from '../app/capabilities.ts';
import type { RestoreCount } from '../engine/capability.ts';
import { findSendingStop } from '../engine/sending-stop.ts';
import { runOnDatabase } from '../start/command-database.ts';
import { readArguments } from '../start/run.ts';
import { joinWithOr, renderCount } from '../words.ts';

const USAGE = `Usage: npm run restored [-- --log FILE]

Prepares a restored backup for npm start, so that nothing is sent twice. Sends nothing.

  --log FILE  The log since the backup, from all instances. Says whose posts are missing, because they were saved later.

Settings: DATA_DIR or DATABASE_URL, and ENCRYPTION_KEYS, as for npm start.

Example: npm run restored -- --log upnext.log`;

const { values: options } = readArguments(USAGE, { options: { log: { type: 'string' } } });

/** What people save in Upnext alone, so that it is gone with the database. */
const KEPT: readonly { action: AuditAction; text: string }[] = [
  { action: 'held-posts save', text: 'saved posts' },
  { action: 'series save', text: 'saved a series' },
  { action: 'import-posts action import.start', text: 'imported posts' },
];

const NO_LOG =
  'Posts that were saved after the backup are missing. To learn whose, run this again with `--log FILE` before you start Upnext.';

/** `npm run restored` prepares a restored backup for `npm start`, so that nothing is sent twice. Sends nothing. */
await runOnDatabase(async ({ db, now, record }) => {
  if (await findSendingStop(db))
    console.log(
      'Sending is stopped, perhaps since before the backup. To resume, run `npm run resume-sending`.',
    );
  const missing = options.log === undefined ? undefined : await readMissing(options.log);
  const counts = await prepareRestored(db, now);
  await record('operator restored');
  console.log(describeCounts(counts));
  console.log(missing === undefined ? NO_LOG : describeMissing(missing));

  function readMissing(path: string): Promise<LoggedEntry[]> {
    const actions = KEPT.map(({ action }) => action);
    return findMissingEntries(db, readLines(path), actions);
  }
});

/** Says who has saved what since the backup, in lines that begin with the workspace and the person. */
function describeMissing(entries: readonly LoggedEntry[]): string {
  if (entries.length === 0) return 'As far as this log says, nobody has saved posts since the backup.';
  const lines = [...Map.groupBy(entries, toKey).values()].flatMap((same) => {
    const last = same.at(-1);
    const text = KEPT.find(({ action }) => action === last?.action)?.text ?? '';
    if (!last) return [];
    const project = last.project === '' ? '' : `, project ${last.project}`;
    return `  ${last.workspace} ${last.actor}${project}: ${text} ${renderCount(same.length, 'time')}, last at ${last.at.toISOString()}`;
  });
  return [
    'Saved after the backup and missing now, as far as this log says. Ask these people to save it again:',
    ...lines.toSorted(),
  ].join('\n');
}

/** A generator, because lines that are read before somebody waits for them would be lost. */
async function* readLines(path: string): AsyncGenerator<string> {
  yield* createInterface({ input: createReadStream(path), crlfDelay: Number.POSITIVE_INFINITY });
}

function toKey({ workspace, actor, project, action }: LoggedEntry): string {
  return JSON.stringify([workspace, actor, project, action]);
}

function describeCounts(counts: readonly RestoreCount[]): string {
  if (counts.every(({ count }) => count === 0)) {
    const names = joinWithOr(CAPABILITIES.map(({ name }) => name));
    return `The backup contains no unfinished ${names}, and none was due since the backup. Run \`npm start\`.`;
  }
  return [
    ...counts.map(({ label, count, explanation }) => `${label}: ${count}. ${explanation}`),
    'Now run `npm start`.',
  ].join('\n');
}
