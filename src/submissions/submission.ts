import { z } from 'zod';
import type { Encryption } from '../access/access.ts';
import type { Outcome } from '../api/outcome.ts';
import type { Log } from '../slack/log.ts';
import { readContent } from './read-content.ts';
import type { SubmissionRow } from './sql/submissions.ts';

/** What was submitted, as its person may see it. */
export interface Submission<Content> {
  id: string;
  channel?: string;
  content: Content;
  shared: boolean;
}

const problem = z.object({
  field: z.string().optional(),
  loc: z.array(z.union([z.string(), z.number()])),
  message: z.string(),
  type: z.string(),
});

/** Why the service certainly did not apply it. */
const reason = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('invalid'), problems: z.array(problem) }),
  z.object({ kind: z.literal('refused'), status: z.number() }),
  z.object({ kind: z.literal('not-applied'), cause: z.string(), retryAfterMs: z.number().optional() }),
]);

export type Reason = z.infer<typeof reason>;

/** What a problem of the service's looks like in a reason. */
export type Problem = z.infer<typeof problem>;

/** The certain refusals among the outcomes; undefined for the others. */
export function reasonOf(outcome: Outcome<unknown>): Reason | undefined {
  const read = reason.safeParse(outcome);
  return read.success ? read.data : undefined;
}

export function sealReason(context: { encryption: Encryption }, workspace: string, why: Reason): string {
  return context.encryption.seal(JSON.stringify(why), workspace);
}

/** Undefined too where it cannot be read, its key being gone: then what stands in its row is said without it. */
export function openReason(
  machine: { encryption: Encryption; log: Log },
  row: Pick<SubmissionRow, 'id' | 'reason' | 'workspace'>,
): Reason | undefined {
  return readContent(machine, { content: reason }, { ...row, content: row.reason })?.content;
}

/** Throws where the content is no longer kept. */
export function openSubmission<Content>(
  context: { encryption: Encryption },
  kind: { content: z.ZodType<Content> },
  row: SubmissionRow,
): Submission<Content> {
  return {
    id: row.id,
    ...(row.channel !== null && { channel: row.channel }),
    content: kind.content.parse(JSON.parse(context.encryption.open(row.content ?? '', row.workspace))),
    shared: row.shared_at !== null,
  };
}
