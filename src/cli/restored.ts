import { CAPABILITIES, prepareRestored } from '../app/capabilities.ts';
import type { RestoreCount } from '../engine/capability.ts';
import { findSendingStop } from '../engine/sending-stop.ts';
import { runOnDatabase } from '../start/command-database.ts';
import { readArguments } from '../start/run.ts';
import { joinWithOr } from '../words.ts';

const USAGE = `Usage: npm run restored

Prepares a restored backup for npm start, so that nothing is sent twice. Sends nothing.

Settings: DATA_DIR or DATABASE_URL, and ENCRYPTION_KEYS, as for npm start.

Example: npm run restored`;

readArguments(USAGE, { options: {} });

/** `npm run restored` prepares a restored backup for `npm start`, so that nothing is sent twice. Sends nothing. */
await runOnDatabase(async ({ db, now, record }) => {
  if (await findSendingStop(db))
    console.log(
      'Sending is stopped, perhaps since before the backup. To resume, run `npm run resume-sending`.',
    );
  const counts = await prepareRestored(db, now);
  await record('operator restored');
  console.log(describeCounts(counts));
});

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
