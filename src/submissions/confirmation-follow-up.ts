import type { Machine } from './machine.ts';
import { readContent } from './read-content.ts';
import type { SubmissionRow } from './sql/submissions.ts';

/** Runs the kind's `onConfirmed`. If `onConfirmed` fails, the submission stays confirmed. */
export async function runConfirmationFollowUp(machine: Machine, row: SubmissionRow): Promise<void> {
  const kind = machine.findKind(row.kind);
  const contentResult = kind?.onConfirmed && readContent(machine, kind, row);
  if (!contentResult) return;
  try {
    await kind?.onConfirmed?.(machine.db, row, contentResult.content);
  } catch (error) {
    machine.log.error({ submission: row.id, err: error }, 'follow-up of a confirmed submission failed');
  }
}
