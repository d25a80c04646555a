import type { ModalView } from '@slack/types';
import type { Machine } from './machine.ts';
import type { SubmissionRow } from './sql/submissions.ts';
import { openReason, type Reason } from './submission.ts';

/** Why the service took none of them: then the form is what its person needs. */
export function refusalOf(machine: Machine, rows: readonly SubmissionRow[]): Reason | undefined {
  const [first] = rows;
  return first && rows.every(({ state }) => state === 'refused') ? openReason(machine, first) : undefined;
}

/**
 * The form that these were sent with, out of their rows: whoever learns that they were refused, be it another instance
 * a day later. Undefined where there is none to come back to.
 */
export async function refusedForm(
  machine: Machine,
  rows: readonly SubmissionRow[],
): Promise<ModalView | undefined> {
  const [first] = rows;
  const reason = refusalOf(machine, rows);
  const kind = first && machine.kindOf(first.kind);
  if (!first || !reason || !kind?.rebuilt) return undefined;
  const { db, encryption, practice, log } = machine;
  try {
    return await kind.rebuilt({ db, encryption, practice, now: machine.now() }, rows, reason);
  } catch (error) {
    log.error({ submission: first.id, err: error }, 'a form could not be rebuilt');
    return undefined;
  }
}
