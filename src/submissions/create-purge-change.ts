import type { Change } from '../delivery/definition.ts';
import type { Machine } from './machine.ts';
import { readContent } from './read-content.ts';
import type { SubmissionRow } from './sql/submissions.ts';

/**
 * What the purge changes in a submission. The row and its state stay; a confirmed row of some kinds also keeps an
 * encrypted summary.
 */
export function createPurgeChange(
  machine: Pick<Machine, 'findKind' | 'encryption' | 'log'>,
  row: SubmissionRow,
): Change<SubmissionRow> {
  return { content: null, refusal: null, summary: row.summary ?? createSummary(machine, row) };
}

/** Null if there is no summary or it can't be created. The content is removed anyway. */
function createSummary(
  machine: Pick<Machine, 'findKind' | 'encryption' | 'log'>,
  row: SubmissionRow,
): string | null {
  const kind = machine.findKind(row.kind);
  if (!kind?.summarize || row.state !== 'confirmed' || row.result === null) return null;
  const contentResult = readContent(machine, kind, row);
  if (!contentResult) return null;
  try {
    const summary = JSON.stringify(kind.summarize(contentResult.content));
    return machine.encryption.seal(summary, row.workspace);
  } catch (error) {
    const name = error instanceof Error ? error.name : typeof error;
    machine.log.error({ submission: row.id, error: name }, 'could not create the summary of a submission');
    return null;
  }
}
