import { isSharedWith, type PauseReason } from './digest.ts';
import type { Machine } from './machine.ts';
import { readDigest } from './read-digest.ts';
import { listDigests, pauseDigests } from './sql/digests.ts';
import type { OccurrenceRow } from './sql/occurrences.ts';

/**
 * Pauses digests that can't be sent, and ends the occurrence. The digests are paused first, so that an instance that
 * dies in between notifies the owner twice rather than never.
 */
export async function pauseUndeliverable(
  machine: Machine,
  row: OccurrenceRow,
  filter: { workspace: string; channel?: string; id?: string },
  reason: PauseReason,
): Promise<void> {
  const clockTime = machine.clock();
  await pauseDigests(machine.db, filter, { reason, pausedAt: clockTime, notifyAt: clockTime });
  machine.wake(clockTime);
  await machine.delivery.transition(row, 'paused');
}

/** Pauses the digests of a channel unless all outsiders may read them. Schedules notices to the owners. */
export async function pauseShared(
  machine: Machine,
  channelKey: { workspace: string; channel: string },
  outsiders: readonly string[],
): Promise<void> {
  const clockTime = machine.clock();
  for (const row of await listDigests(machine.db, channelKey)) {
    const digest = readDigest(machine, row);
    if (digest && isSharedWith(digest, outsiders)) continue;
    const { workspace, id } = row;
    const pause = { reason: 'shared', pausedAt: clockTime, notifyAt: clockTime };
    await pauseDigests(machine.db, { workspace, id }, pause);
  }
}
