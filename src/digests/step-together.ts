import { haltOf } from '../delivery/halt.ts';
import type { Machine } from './machine.ts';
import { readDigest } from './read-digest.ts';
import { type DigestRow, digestsById } from './sql/digests.ts';
import { type OccurrenceRow, releaseOccurrence } from './sql/occurrences.ts';
import { step } from './step.ts';

/** What was claimed together goes one step further, each by itself; `onEnd` is called for each. Their settings are read once. */
export async function stepTogether(
  machine: Machine,
  rows: readonly OccurrenceRow[],
  onEnd: () => void,
): Promise<void> {
  let begun = false;
  try {
    const settings = await digestsById(machine.db, [...new Set(rows.map(({ digest }) => digest))]);
    const isHalted = (await haltOf(machine.db)) !== undefined;
    const byId = new Map(settings.map((row) => [row.id, row]));
    begun = true;
    await Promise.all(
      rows.map((row) => stepOne(machine, row, byId.get(row.digest), isHalted).finally(onEnd)),
    );
  } finally {
    if (!begun) for (const _row of rows) onEnd();
  }
}

/** What goes wrong here is ours: the row stands, and goes on after its lease, unless that fails again. */
async function stepOne(
  machine: Machine,
  row: OccurrenceRow,
  settings: DigestRow | undefined,
  isHalted: boolean,
): Promise<void> {
  try {
    const digest = settings && readDigest(machine, settings);
    if (settings && !digest) return await releaseOccurrence(machine.db, row, machine.clock());
    await step(machine, {
      row,
      digest,
      since: settings?.posted_at ?? undefined,
      memory: settings?.memory ?? undefined,
      isHalted,
    });
  } catch (error) {
    machine.log.error({ occurrence: row.id, err: error }, 'a digest did not go on');
    machine.setAside.failed(row.id, error);
  }
}
