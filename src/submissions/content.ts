import { z } from 'zod';
import type { Encryption } from '../access/access.ts';
import type { Outcome } from '../api/outcome.ts';
import type { Log } from '../slack/log.ts';
import type { SubmissionRow } from './submission.ts';

interface Submission<Content> {
  channel?: string;
  content: Content;
}

const problemSchema = z.object({
  field: z.string().optional(),
  loc: z.array(z.union([z.string(), z.number()])),
  message: z.string(),
  type: z.string(),
});

const refusalSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('invalid'), problems: z.array(problemSchema) }),
  z.object({ kind: z.literal('refused'), status: z.number(), problems: z.array(problemSchema).optional() }),
  z.object({ kind: z.literal('not-applied'), cause: z.string(), retryAfterMs: z.number().optional() }),
  z.object({ kind: z.literal('unknown'), problems: z.array(problemSchema) }),
]);

/** Refusal by the service. The request certainly wasn't applied, except after `unknown`, which has only a reason. */
export type ServiceRefusal = z.infer<typeof refusalSchema>;

/** One problem in a validation error (422), or the reason of another refusal. */
export type Problem = z.infer<typeof problemSchema>;

export function getProblems(refusal: ServiceRefusal): readonly Problem[] {
  return refusal.kind === 'not-applied' ? [] : (refusal.problems ?? []);
}

/** Parses the refusal in an outcome. Undefined if the service gave no answer, or one without a reason. */
export function parseRefusal(outcome: Outcome<unknown>): ServiceRefusal | undefined {
  const result = refusalSchema.safeParse(outcome);
  return result.success ? result.data : undefined;
}

/** Decrypts a row's refusal. Undefined if there is none, or if the encryption key is missing. */
export function decryptRefusal(
  context: { encryption: Encryption; log: Log },
  row: Pick<SubmissionRow, 'id' | 'refusal' | 'workspace'>,
): ServiceRefusal | undefined {
  return readContent(context, { content: refusalSchema }, { ...row, content: row.refusal })?.content;
}

/** Decrypts a submission. Throws if the content was purged. */
export function decryptSubmission<Content>(
  context: { encryption: Encryption },
  kind: { content: z.ZodType<Content> },
  row: SubmissionRow,
): Submission<Content> {
  return {
    ...(row.channel !== null && { channel: row.channel }),
    content: kind.content.parse(JSON.parse(context.encryption.decrypt(row.content ?? '', row.workspace))),
  };
}

/** Decrypts and parses a row's content. Undefined if it was purged or is unreadable, which affects no other row. */
export function readContent<Content>(
  context: { encryption: Encryption; log: Log },
  kind: { content: z.ZodType<Content> } | undefined,
  row: Pick<SubmissionRow, 'id' | 'content' | 'workspace'>,
): { content: Content } | undefined {
  if (!kind || row.content === null) return undefined;
  try {
    const parsedJson: unknown = JSON.parse(context.encryption.decrypt(row.content, row.workspace));
    return { content: kind.content.parse(parsedJson) };
  } catch (error) {
    // Only the error's name is logged, because the message may contain content.
    const name = error instanceof Error ? error.name : typeof error;
    context.log.error({ submission: row.id, error: name }, 'could not read the content of a submission');
    return undefined;
  }
}

/** Reads what is left of a submission that may be confirmed: its content, or what its purge has left of it. See `readContent`. */
export function readConfirmed<Content>(
  context: { encryption: Encryption; log: Log },
  kind: { content: z.ZodType<Content> } | undefined,
  row: Pick<SubmissionRow, 'id' | 'content' | 'summary' | 'workspace'>,
): { content: Content } | undefined {
  return readContent(context, kind, { ...row, content: row.content ?? row.summary });
}
