import type { z } from 'zod';
import type { Encryption } from '../access/access.ts';
import type { Log } from '../slack/log.ts';
import type { SubmissionRow } from './sql/submissions.ts';

/**
 * Decrypts and parses a row's content. Undefined if the content was purged, its encryption key is missing, or this version
 * can't read it. Then the row stays unchanged, and the others aren't affected.
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
    // The error's message may contain content, which must not be logged.
    const name = error instanceof Error ? error.name : typeof error;
    machine.log.error({ submission: row.id, error: name }, 'could not read the content of a submission');
    return undefined;
  }
}
