import type { ModalView } from '@slack/types';
import type { Machine } from './machine.ts';
import type { SubmissionRow } from './sql/submissions.ts';
import { openRefusal, type ServiceRefusal } from './submission.ts';

/** Returns the first row's refusal if the service refused all rows of a form. Then the author sees the form again. */
export function findCommonRefusal(
  machine: Machine,
  rows: readonly SubmissionRow[],
): ServiceRefusal | undefined {
  const [firstRow] = rows;
  return firstRow && rows.every(({ state }) => state === 'refused')
    ? openRefusal(machine, firstRow)
    : undefined;
}

/**
 * Rebuilds the form of refused submissions from their rows, which works in any instance and at any later time. Resolves
 * with undefined if there is no form to rebuild.
 */
export async function rebuildRefusedForm(
  machine: Machine,
  rows: readonly SubmissionRow[],
): Promise<ModalView | undefined> {
  const [firstRow] = rows;
  const refusal = findCommonRefusal(machine, rows);
  const kind = firstRow && machine.findKind(firstRow.kind);
  if (!firstRow || !refusal || !kind?.rebuildForm) return undefined;
  const { db, encryption, isEmulated, log } = machine;
  try {
    return await kind.rebuildForm({ db, encryption, isEmulated, now: machine.now() }, rows, refusal);
  } catch (error) {
    log.error({ submission: firstRow.id, err: error }, 'could not rebuild a form');
    return undefined;
  }
}
