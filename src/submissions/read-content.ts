import type { z } from 'zod';
import type { Encryption } from '../access/access.ts';
import type { Log } from '../slack/log.ts';
import type { SubmissionRow } from './sql/submissions.ts';

/**
 * What was submitted; undefined where it is no longer kept, its key is missing, or this version cannot read it: then
 * the row stays as it is, and everything else goes on.
 */
export function readContent<Content>(
  machine: { encryption: Encryption; log: Log },
  kind: { content: z.ZodType<Content> } | undefined,
  row: Pick<SubmissionRow, 'id' | 'content' | 'workspace'>,
): { content: Content } | undefined {
  if (!kind || row.content === null) return undefined;
  try {
    const opened: unknown = JSON.parse(machine.encryption.open(row.content, row.workspace));
    return { content: kind.content.parse(opened) };
  } catch (error) {
    // The text of the error may repeat what was written.
    const name = error instanceof Error ? error.name : typeof error;
    machine.log.error({ submission: row.id, error: name }, 'what was submitted cannot be read');
    return undefined;
  }
}
