import type { Kysely } from 'kysely';
import { DIGEST_OCCURRENCES } from '../digests/create-occurrences.ts';
import type { Capability, RestoreCount } from '../engine/capability.ts';
import { transitionAfterUninstall } from '../engine/sql/bulk-transitions.ts';
import { endOpenForms } from '../forms/sealed-store.ts';
import type { BotSchema } from '../handlers/schema.ts';
import { HELD_POSTS } from '../held-posts/held-post.ts';
import { SERIES } from '../held-posts/series/series.ts';
import { POST_IMPORTS } from '../imports/post-import.ts';
import { PUBLICATIONS } from '../publications/publication.ts';
import { SUBMISSIONS } from '../submissions/submission.ts';
import { type EndDeliveries, restartRetention } from '../workspaces/workspaces.ts';

/**
 * All capabilities. This list is read by the command for restored backups, by the code that handles an
 * uninstallation, and by the lifecycle tests. A test compares it with the tables in the database.
 */
export const CAPABILITIES: readonly Omit<Capability<string, never, BotSchema>, 'onEntry'>[] = [
  SUBMISSIONS,
  DIGEST_OCCURRENCES,
  PUBLICATIONS,
  HELD_POSTS,
  POST_IMPORTS,
  SERIES,
];

/** Prepares a restored backup for a start, so that nothing is sent twice. Returns what was unfinished. */
export async function prepareRestored(db: Kysely<BotSchema>, now: Date): Promise<RestoreCount[]> {
  const counts: RestoreCount[] = [];
  for (const { restore } of CAPABILITIES) counts.push(...(await restore(db, now)));
  await endOpenForms(db);
  // Somebody may have ended them since the backup.
  await db.deleteFrom('web_link').execute();
  await restartRetention(db);
  return counts;
}

export const endDeliveries: EndDeliveries = async (transaction, uninstall) => {
  for (const capability of CAPABILITIES) {
    await transitionAfterUninstall(transaction, capability, uninstall);
    await capability.endAfterUninstall(transaction, uninstall);
  }
};
