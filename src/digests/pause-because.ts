import type { OccurrenceRow } from '../store/digest-occurrences.ts';
import { pauseDigests } from '../store/digests.ts';
import type { PausedWhy } from './digest.ts';
import type { Machine } from './machine.ts';

/** The digests first: a pause that is told twice is better than one that nobody hears of. */
export async function pauseBecause(
  machine: Machine,
  row: OccurrenceRow,
  which: { workspace: string; channel?: string; id?: string; sharedKnown?: boolean },
  why: PausedWhy,
): Promise<void> {
  const at = machine.clock();
  await pauseDigests(machine.db, which, { why, at, tellAt: at });
  machine.wake(at);
  await machine.move(row, 'paused');
}
