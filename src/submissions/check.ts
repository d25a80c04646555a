import type { Outcome } from '../api/outcome.ts';
import { moveSubmission, newestSubmission, ownSubmission } from '../store/submissions.ts';
import type { Parts } from './parts.ts';
import { openSubmission, type Submission, type SubmissionKind } from './submission.ts';

/** A kind whose fate can be looked up in the service. */
export interface CheckableKind<Content> extends SubmissionKind<Content> {
  /** Whether the service has it; reads only. */
  look(parts: Parts, content: Content): Promise<Outcome<boolean>>;
}

type Failed = Exclude<Outcome<boolean>, { kind: 'done' }>;

/** What a look has shown. Nothing is ever sent by looking. */
type Looked<Content> =
  | { kind: 'not-yours' }
  | { kind: 'found'; submission: Submission<Content> }
  | { kind: 'absent'; submission: Submission<Content> }
  | { kind: 'not-seen'; submission: Submission<Content>; outcome: Failed };

/** The newest revision of what a person sent with one form. */
interface Newest<Content> {
  formId: string;
  submission: Submission<Content>;
  /** `refused`: the service certainly does not have it, so it may be sent. */
  state: 'confirmed' | 'unknown' | 'refused';
}

/** What became of the form that a submission came from; undefined where it is not this person's own. */
export async function newestRevision<Content>(
  parts: Parts,
  kind: SubmissionKind<Content>,
  wanted: { id: string; workspace: string; asker: string },
): Promise<Newest<Content> | undefined> {
  const own = await ownSubmission(parts.db, { ...wanted, kind: kind.name });
  const row = own && (await newestSubmission(parts.db, own));
  if (!row) return undefined;
  const isRefused = row.state === 'refused' || row.state === 'retryable';
  const state = row.state === 'confirmed' ? 'confirmed' : isRefused ? 'refused' : 'unknown';
  return { formId: row.origin, submission: openSubmission(parts, kind, row), state };
}

/** Looks for what has an unknown end. `not-yours` where the row is not this person's own in this workspace. */
export async function checkSubmission<Content>(
  parts: Parts,
  kind: CheckableKind<Content>,
  wanted: { id: string; workspace: string; asker: string },
  now: () => Date,
): Promise<Looked<Content>> {
  const row = await ownSubmission(parts.db, { ...wanted, kind: kind.name });
  if (!row) return { kind: 'not-yours' };
  const submission = openSubmission(parts, kind, row);
  if (row.state === 'confirmed') return { kind: 'found', submission };
  const outcome = await kind.look(parts, submission.content);
  if (outcome.kind !== 'done') return { kind: 'not-seen', submission, outcome };
  if (!outcome.data) return { kind: 'absent', submission };
  for (const from of ['unknown', 'sending']) {
    await moveSubmission(parts.db, { id: row.id, from, to: 'confirmed', at: now() });
  }
  return { kind: 'found', submission };
}
