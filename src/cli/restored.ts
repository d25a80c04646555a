import { readSettings } from '../config/config.ts';
import { type Moved, restoreDeliveries } from '../delivery/sql/bulk-transitions.ts';
import { restoreDigests } from '../digests/restore.ts';
import { registerSecrets } from '../observability/redact.ts';
import { openCommandDatabase } from '../start/command-database.ts';
import { run } from '../start/run.ts';
import { secretsOf } from '../start/secrets-of.ts';
import { withoutStatementLimit } from '../store/statement-limit.ts';
import { SUBMISSIONS } from '../submissions/deliveries.ts';
import type { State } from '../submissions/lifecycle.ts';
import { restartRetention } from '../workspaces/workspaces.ts';

/** `npm run restored`: after a backup was put back, and before `npm start`. It sends nothing. */
async function start(): Promise<undefined> {
  const settings = readSettings(process.env);
  registerSecrets(...secretsOf(settings));
  const { db, close } = await openCommandDatabase(settings);
  const now = new Date();
  const submissions = await restoreDeliveries(db, SUBMISSIONS, now);
  const digests = await restoreDigests(db, now);
  await restartRetention(db);
  await close();
  console.log(words(submissions, digests));
}

function words(
  { unknown = 0, 'needs-person': past = 0 }: Moved<State>,
  digests: Awaited<ReturnType<typeof restoreDigests>>,
): string {
  if (unknown + past + digests.reconciling + digests.unknown === 0) {
    return 'Nothing was on its way when the backup was made, and no digest came since. `npm start` as usual.';
  }
  return [
    `${unknown} on their way when the backup was made: they may have been sent since. They are looked for after the start, and not sent again unasked.`,
    `${past} whose moment has passed since: each waits for its person in /upnext outbox.`,
    `${digests.reconciling} digests on their way: they are looked for in their channels, and their owners are asked where they are not found.`,
    `${digests.unknown} digests whose time came since: their owners are asked or told; none is posted unasked.`,
    '`npm start` as usual.',
  ].join('\n');
}

await run(() => withoutStatementLimit(start));
