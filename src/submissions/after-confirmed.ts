import type { Machine } from './machine.ts';
import { readContent } from './read-content.ts';
import type { SubmissionRow } from './sql/submissions.ts';

/** What a kind does once something of it is done. It is done all the same where this fails. */
export async function afterConfirmed(machine: Machine, row: SubmissionRow): Promise<void> {
  const kind = machine.kindOf(row.kind);
  const read = kind?.confirmed && readContent(machine, kind, row);
  if (!read) return;
  try {
    await kind?.confirmed?.(machine.db, row, read.content);
  } catch (error) {
    machine.log.error({ submission: row.id, err: error }, 'what follows of a submission was not done');
  }
}
