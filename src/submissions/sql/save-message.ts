import type { Queryable } from '../../store/database.ts';
import type { SubmissionRow, SubmissionTables } from '../submission.ts';

/** Records which message shows a submission. Resolves with the current row, or undefined if the row was deleted. */
export function saveMessage(
  db: Queryable<SubmissionTables>,
  id: string,
  { channel, ts }: { channel: string; ts: string },
): Promise<SubmissionRow | undefined> {
  return db
    .updateTable('submission')
    .set({ message_channel: channel, message_ts: ts })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirst();
}
