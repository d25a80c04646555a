import { isSharedWith, type PauseReason } from './digest.ts';
import type { Machine } from './machine.ts';
import { readDigest } from './read-digest.ts';
import { listDigests, pauseDigests } from './sql/digests.ts';
import type { OccurrenceRow } from './sql/occurrences.ts';

/**
 * Pauses digests that can't be sent, and ends the occurrence. The digests are paused first: if the instance dies in
 * between, the owner may be notified twice, which is better than never.
 */
export async function pauseUndeliverable(
  machine: Machine,
  row: OccurrenceRow,
  which: { workspace: string; channel?: string; id?: string },
  reason: PauseReason,
): Promise<void> {
  const at = machine.clock();
  await pauseDigests(machine.db, which, { reason, at, tellAt: at });
  machine.wake(at);
  await machine.delivery.transition(row, 'paused');
}

/** Pauses the digests of a channel that not all of its outsiders may read, and schedules notices to their owners. */
export async function pauseShared(
  machine: Machine,
  at: { workspace: string; channel: string },
  outsiders: readonly string[],
): Promise<void> {
  const clock = machine.clock();
  for (const row of await listDigests(machine.db, at)) {
    const digest = readDigest(machine, row);
    if (digest && isSharedWith(digest, outsiders)) continue;
    const { workspace, id } = row;
    await pauseDigests(machine.db, { workspace, id }, { reason: 'shared', at: clock, tellAt: clock });
  }
}
