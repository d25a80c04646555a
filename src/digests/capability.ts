import type { Kysely } from 'kysely';
import type { Capability } from '../engine/capability.ts';
import { createExclusions } from '../engine/exclusions.ts';
import { restoreDeliveries, transitionAfterUninstall } from '../engine/sql/bulk-transitions.ts';
import { createDueOccurrences } from './create-occurrences.ts';
import {
  type DigestTables,
  OCCURRENCES,
  type OccurrenceRow,
  RESTORED_REASON,
  type State,
} from './occurrence.ts';
import { DIGEST_PACE } from './pace.ts';
import { pauseDigests } from './sql/digests.ts';

/** What a restored backup and an uninstallation change in digests. */
export const DIGEST_OCCURRENCES: Capability<State, OccurrenceRow, DigestTables> = {
  name: 'digests',
  table: OCCURRENCES.table,
  lifecycle: OCCURRENCES.lifecycle,
  // Occurrences that were missed while the app was stopped, or since a restored backup, begin in other states than `due`.
  initialStates: ['due', 'missed', 'uncertain'],
  /**
   * An occurrence in the backup is reconciled by its id, which the message's metadata contains. The ids of later
   * occurrences are lost, so their owners are asked whether to send them.
   */
  async restore(db, now) {
    const { reconciling = 0 } = await restoreDeliveries(db, OCCURRENCES, {
      now,
      change: { reason: RESTORED_REASON, checks: 0, retrying_since: now },
    });
    return [
      {
        count: reconciling,
        label: 'Unfinished digests',
        explanation:
          'They may have been sent since the backup. After the start, Upnext looks for them in their channels and asks their owners about missing ones.',
      },
      {
        count: await createOccurrencesSinceBackup(db, now),
        label: 'Digests that were due since the backup',
        explanation: 'Their owners are asked or notified. None is sent automatically.',
      },
    ];
  },
  /**
   * Pauses the digests and cancels all notifications, because the app can no longer send messages in the workspace. If
   * the app is installed again, owners can resume the digests.
   */
  async endAfterUninstall(transaction, { workspace, now }) {
    await pauseDigests(transaction, { workspace }, { reason: 'uninstalled', pausedAt: now, notifyAt: null });
    await transaction
      .updateTable('digest')
      .set({ notify_at: null, notifying_since: null })
      .where('workspace', '=', workspace)
      .execute();
    await transitionAfterUninstall(transaction, OCCURRENCES, { workspace, now });
  },
};

/** Creates the occurrences that were due since the backup. Resolves with their number. */
function createOccurrencesSinceBackup(db: Kysely<DigestTables>, now: Date): Promise<number> {
  // Occurrences of digests that this version can't read are created later, by an instance that can.
  const exclusions = createExclusions(
    () => now.getTime(),
    () => undefined,
  );
  const clock = { now: () => now, readShared: () => now };
  const context = { db, clock, pace: DIGEST_PACE, exclusions };
  return createDueOccurrences(context, RESTORED_REASON);
}
