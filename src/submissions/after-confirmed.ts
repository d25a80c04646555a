import type { Machine } from './machine.ts';
import { readContent } from './read-content.ts';
import type { SubmissionRow } from './sql/submissions.ts';

/** Runs the kind's `onConfirmed`. If that fails, the submission stays confirmed. */
export async function afterConfirmed(machine: Machine, row: SubmissionRow): Promise<void> {
  const kind = machine.kindOf(row.kind);
  const read = kind?.onConfirmed && readContent(machine, kind, row);
  if (!read) return;
  try {
    await kind?.onConfirmed?.(machine.db, row, read.content);
  } catch (error) {
    machine.log.error({ submission: row.id, err: error }, 'follow-up of a confirmed submission failed');
  }
}
