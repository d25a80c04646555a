import type { Change } from '../delivery/definition.ts';
import type { Machine } from './machine.ts';
import { readContent } from './read-content.ts';
import type { SubmissionRow } from './sql/submissions.ts';

/**
 * What retention removes from a submission. That there was one, and what became of it, stays; of some kinds also a
 * sealed summary of what was confirmed.
 */
export function withoutContent(
  machine: Pick<Machine, 'kindOf' | 'encryption' | 'log'>,
  row: SubmissionRow,
): Change<SubmissionRow> {
  return { content: null, reason: null, summary: row.summary ?? summaryOf(machine, row) };
}

/** Null where there is none to be had: content is removed all the same. */
function summaryOf(
  machine: Pick<Machine, 'kindOf' | 'encryption' | 'log'>,
  row: SubmissionRow,
): string | null {
  const kind = machine.kindOf(row.kind);
  if (!kind?.remembered || row.state !== 'confirmed' || row.result === null) return null;
  const read = readContent(machine, kind, row);
  if (!read) return null;
  try {
    const summary = JSON.stringify(kind.remembered(read.content));
    return machine.encryption.seal(summary, row.workspace);
  } catch (error) {
    const name = error instanceof Error ? error.name : typeof error;
    machine.log.error({ submission: row.id, error: name }, 'no summary of a submission');
    return null;
  }
}
