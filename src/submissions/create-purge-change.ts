import type { Change } from '../engine/capability.ts';
import { readContent } from './content.ts';
import type { SubmissionRow } from './submission.ts';
import type { SubmissionContext } from './submission-context.ts';

/**
 * Creates the change for the purge of a submission. Removes the content, and adds an encrypted summary to confirmed
 * rows of some kinds. Rows without a summary are deleted later.
 */
export function createPurgeChange(
  context: Pick<SubmissionContext, 'findKind' | 'encryption' | 'log' | 'pace'>,
  row: SubmissionRow,
  now: Date,
): Change<SubmissionRow> {
  const summary = row.summary ?? createSummary(context, row);
  // The row of a post that goes out much later is still needed then.
  const retainedSince = Math.max(now.getTime(), row.publish_at?.getTime() ?? 0);
  const deleteAt = summary === null ? new Date(retainedSince + context.pace.rowRetentionMs) : null;
  return { content: null, refusal: null, summary, delete_at: deleteAt };
}

/** Creates the encrypted summary. Null if there is none. Doesn't throw, because the purge must not fail. */
function createSummary(
  context: Pick<SubmissionContext, 'findKind' | 'encryption' | 'log'>,
  row: SubmissionRow,
): string | null {
  const kind = context.findKind(row.kind);
  if (!kind?.summarize || row.state !== 'confirmed' || row.service_id === null) return null;
  const contentResult = readContent(context, kind, row);
  if (!contentResult) return null;
  try {
    const summary = JSON.stringify(kind.summarize(contentResult.content));
    return context.encryption.encrypt(summary, row.workspace);
  } catch (error) {
    const name = error instanceof Error ? error.name : typeof error;
    context.log.error({ submission: row.id, error: name }, 'could not create the summary of a submission');
    return null;
  }
}
