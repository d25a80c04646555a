import type { z } from 'zod';
import type { Encryption } from '../access/access.ts';
import type { Log } from '../slack/log.ts';
import type { SubmissionRow } from './sql/submissions.ts';

/**
 * Decrypts and parses a row's content. Returns undefined if the content was purged, if its encryption key is missing,
 * or if this version can't parse it. Doesn't throw, so that an unreadable row affects no other row.
 */
export function readContent<Content>(
  machine: { encryption: Encryption; log: Log },
  kind: { content: z.ZodType<Content> } | undefined,
  row: Pick<SubmissionRow, 'id' | 'content' | 'workspace'>,
): { content: Content } | undefined {
  if (!kind || row.content === null) return undefined;
  try {
    const parsedJson: unknown = JSON.parse(machine.encryption.open(row.content, row.workspace));
    return { content: kind.content.parse(parsedJson) };
  } catch (error) {
    // Only the error's name is logged, because its message may contain content.
    const name = error instanceof Error ? error.name : typeof error;
    machine.log.error({ submission: row.id, error: name }, 'could not read the content of a submission');
    return undefined;
  }
}
