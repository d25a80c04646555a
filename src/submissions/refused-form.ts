import type { ModalView } from '@slack/types';
import type { Machine } from './machine.ts';
import type { SubmissionRow } from './sql/submissions.ts';
import { openRefusal, type ServiceRefusal } from './submission.ts';

/** Returns the first row's refusal if the service refused all rows of a form. Then the author sees the form again. */
export function findCommonRefusal(
  machine: Machine,
  rows: readonly SubmissionRow[],
): ServiceRefusal | undefined {
  const [first] = rows;
  return first && rows.every(({ state }) => state === 'refused') ? openRefusal(machine, first) : undefined;
}

/**
 * Rebuilds the form of refused submissions from their rows, which works in any instance and at any later time. Resolves
 * with undefined if there is no form to rebuild.
 */
export async function rebuildRefusedForm(
  machine: Machine,
  rows: readonly SubmissionRow[],
): Promise<ModalView | undefined> {
  const [first] = rows;
  const refusal = findCommonRefusal(machine, rows);
  const kind = first && machine.findKind(first.kind);
  if (!first || !refusal || !kind?.rebuildForm) return undefined;
  const { db, encryption, isEmulated, log } = machine;
  try {
    return await kind.rebuildForm({ db, encryption, isEmulated, now: machine.now() }, rows, refusal);
  } catch (error) {
    log.error({ submission: first.id, err: error }, 'could not rebuild a form');
    return undefined;
  }
}
