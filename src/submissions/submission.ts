import { z } from 'zod';
import type { ApiClient } from '../api/client.ts';
import type { Outcome } from '../api/outcome.ts';
import type { SubmissionRow } from '../store/submissions.ts';
import type { Parts } from './parts.ts';

/** One kind of thing that people submit: how it is kept, sent and looked for. */
export interface SubmissionKind<Content> {
  name: string;
  /** Reads back what was kept as JSON. */
  content: z.ZodType<Content>;
  /** Exactly one call. */
  send(api: ApiClient, content: Content): Promise<Outcome<unknown>>;
}

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

export function sealReason(parts: Parts, workspace: string, why: Reason): string {
  return parts.encryption.seal(JSON.stringify(why), workspace);
}

export function openReason(parts: Parts, row: SubmissionRow): Reason | undefined {
  if (row.reason === null) return undefined;
  return reason.parse(JSON.parse(parts.encryption.open(row.reason, row.workspace)));
}

export function openSubmission<Content>(
  parts: Parts,
  kind: SubmissionKind<Content>,
  row: SubmissionRow,
): Submission<Content> {
  return {
    id: row.id,
    ...(row.channel !== null && { channel: row.channel }),
    content: kind.content.parse(JSON.parse(parts.encryption.open(row.content, row.workspace))),
    shared: row.shared_at !== null,
  };
}
