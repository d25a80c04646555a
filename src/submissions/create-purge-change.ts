import type { Change } from '../delivery/definition.ts';
import type { SubmissionRow } from './sql/submissions.ts';
import { readContent } from './submission.ts';
import type { SubmissionContext } from './submission-context.ts';

/**
 * Creates the change for the purge of a submission. Removes the content, and adds an encrypted summary to confirmed
 * rows of some kinds.
 */
export function createPurgeChange(
  context: Pick<SubmissionContext, 'findKind' | 'encryption' | 'log'>,
  row: SubmissionRow,
): Change<SubmissionRow> {
  return {
    content: null,
    refusal: null,
    summary: row.summary ?? createSummary(context, row),
    // The row of a post that goes out much later is still needed then.
    ...(row.awaits_publication && row.publish_at && { redacted_at: row.publish_at }),
  };
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
