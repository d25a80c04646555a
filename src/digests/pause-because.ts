import { isSharedWith, type PausedWhy } from './digest.ts';
import type { Machine } from './machine.ts';
import { readDigest } from './read-digest.ts';
import { digestsIn, pauseDigests } from './sql/digests.ts';
import type { OccurrenceRow } from './sql/occurrences.ts';

/** The digests first: a pause that is told twice is better than one that nobody hears of. */
export async function pauseBecause(
  machine: Machine,
  row: OccurrenceRow,
  which: { workspace: string; channel?: string; id?: string },
  reason: PausedWhy,
): Promise<void> {
  const at = machine.clock();
  await pauseDigests(machine.db, which, { reason, at, tellAt: at });
  machine.wake(at);
  await machine.delivery.transition(row, 'paused');
}

/** Pauses the digests of a channel that not all of its outsiders may read, and has their owners told. */
export async function pauseShared(
  machine: Machine,
  at: { workspace: string; channel: string },
  outsiders: readonly string[],
): Promise<void> {
  const clock = machine.clock();
  for (const row of await digestsIn(machine.db, at)) {
    const digest = readDigest(machine, row);
    if (digest && isSharedWith(digest, outsiders)) continue;
    const { workspace, id } = row;
    await pauseDigests(machine.db, { workspace, id }, { reason: 'shared', at: clock, tellAt: clock });
  }
}
