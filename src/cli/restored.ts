import { readSettings } from '../config/config.ts';
import { restoreDeliveries, type TransitionCounts } from '../delivery/sql/bulk-transitions.ts';
import { restoreDigests } from '../digests/restore.ts';
import { registerSecrets } from '../observability/redact.ts';
import { openCommandDatabase } from '../start/command-database.ts';
import { run } from '../start/run.ts';
import { secretsOf } from '../start/secrets-of.ts';
import { readArguments } from '../start/usage.ts';
import { withoutStatementLimit } from '../store/statement-limit.ts';
import { SUBMISSION_STORAGE } from '../submissions/deliveries.ts';
import type { State } from '../submissions/lifecycle.ts';
import { restartRetention } from '../workspaces/workspaces.ts';

const USAGE = `Usage: npm run restored

Prepares a restored backup for npm start, so that nothing is sent twice. Sends nothing.

Settings: DATA_DIR or DATABASE_URL, and ENCRYPTION_KEYS, as for npm start.

Example: npm run restored`;

/**
 * `npm run restored` prepares a restored backup for `npm start`, so that nothing is sent twice. The command sends
 * nothing.
 */
async function start(): Promise<undefined> {
  readArguments(USAGE, { options: {} });
  const settings = readSettings(process.env);
  registerSecrets(...secretsOf(settings));
  const { db, close } = await openCommandDatabase(settings);
  const now = new Date();
  const submissions = await restoreDeliveries(db, SUBMISSION_STORAGE, now);
  const digests = await restoreDigests(db, now);
  await restartRetention(db);
  await close();
  console.log(describeRestored(submissions, digests));
}

function describeRestored(
  { unknown = 0, 'needs-person': overdue = 0 }: TransitionCounts<State>,
  digests: Awaited<ReturnType<typeof restoreDigests>>,
): string {
  if (unknown + overdue + digests.reconciling + digests.unknown === 0) {
    return 'The backup contains no unfinished submissions or digests, and no digest was due since the backup. Run `npm start`.';
  }
  return [
    `Unfinished submissions: ${unknown}. They may have been sent since the backup. After the start, Upnext looks for them in the service and doesn't send them again automatically.`,
    `Overdue submissions: ${overdue}. Each author decides about them in /upnext outbox.`,
    `Unfinished digests: ${digests.reconciling}. They may have been sent since the backup. After the start, Upnext looks for them in their channels and asks their owners about missing ones.`,
    `Digests that were due since the backup: ${digests.unknown}. Their owners are asked or notified. None is sent automatically.`,
    'Now run `npm start`.',
  ].join('\n');
}

await run(() => withoutStatementLimit(start));
