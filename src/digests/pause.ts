import { isSharedWith, type PauseReason, readDigest } from './digest.ts';
import type { DigestContext } from './digest-context.ts';
import type { OccurrenceRow } from './occurrence.ts';
import { listDigests, pauseDigests } from './sql/digests.ts';

/**
 * Pauses digests that can't be sent, and ends the occurrence. The digests are paused first, so that an instance that
 * dies in between notifies the owner twice rather than never.
 */
export async function pauseUndeliverable(
  context: DigestContext,
  row: OccurrenceRow,
  filter: { workspace: string; channel?: string; id?: string },
  reason: PauseReason,
): Promise<void> {
  const sharedNow = context.clock.readShared();
  await pauseDigests(context.db, filter, { reason, pausedAt: sharedNow, notifyAt: sharedNow });
  context.verbs.wake();
  await context.verbs.settle(row, 'paused');
}

/** Pauses the digests of a channel unless all outsiders may read them. Schedules notices to the owners. */
export async function pauseInSharedChannel(
  context: DigestContext,
  channelKey: { workspace: string; channel: string },
  outsiders: readonly string[],
): Promise<void> {
  const sharedNow = context.clock.readShared();
  for (const row of await listDigests(context.db, channelKey)) {
    const digest = readDigest(context, row);
    if (digest && isSharedWith(digest, outsiders)) continue;
    const { workspace, id } = row;
    const pause = { reason: 'shared', pausedAt: sharedNow, notifyAt: sharedNow };
    await pauseDigests(context.db, { workspace, id }, pause);
  }
}
