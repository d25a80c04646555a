import type { SubmissionKind } from './kind.ts';
import type { SubmissionContext } from './submission-context.ts';

/** A submission that was received from a form or button, before it is saved. */
export interface ReceivedSubmission<Content> {
  workspace: string;
  author: string;
  /** The form's id; for an edit, the id of the edited submission. */
  origin: string;
  /** Index of the item in the form. A form has one item for each publishing time. */
  item: number;
  channel?: string;
  /** The open view that will show the result. */
  viewId?: string;
  /** The message that will show the result, and can be updated. */
  message?: { channel: string; ts: string };
  content: Content;
}

/** Computes the columns of a new row that are keyed hashes. */
export async function computeHashColumns<Content>(
  context: SubmissionContext,
  kind: SubmissionKind<Content>,
  { workspace, content }: ReceivedSubmission<Content>,
): Promise<{ endpoint: string; fingerprint: string }> {
  const project = kind.getProject(content)?.id;
  const address = await context.findAddress(workspace, project);
  const equalityKey = computeEqualityKey(kind, content);
  const [endpoint, fingerprint] = await Promise.all([
    context.computeEndpointKey(address),
    context.computeFingerprint({ workspace, address, kind: kind.name, project: project ?? '', equalityKey }),
  ]);
  return { endpoint, fingerprint };
}

/**
 * Computes the keys that identify a submission whose save has an unknown outcome. The first key identifies the form.
 * The second key identifies the author and the content, whichever form the submission came from. Works without the
 * database.
 */
export function computeSaveKeys<Content>(
  kind: SubmissionKind<Content>,
  { workspace, author, origin, item, content }: ReceivedSubmission<Content>,
): string[] {
  const formKey = JSON.stringify([workspace, author, origin, item]);
  if (kind.unknownOutcome.strategy === 'repeat') return [formKey];
  const project = kind.getProject(content)?.id ?? '';
  return [
    formKey,
    JSON.stringify([workspace, author, kind.name, project, computeEqualityKey(kind, content)]),
  ];
}

/**
 * Computes a key that is the same for equal submissions of a kind. The key is derived from the content, or from the
 * target if repeating is safe.
 */
function computeEqualityKey<Content>({ unknownOutcome }: SubmissionKind<Content>, content: Content): string {
  if (unknownOutcome.strategy === 'reconcile') return unknownOutcome.computeFingerprint(content);
  return unknownOutcome.strategy === 'repeat' ? unknownOutcome.getTarget(content) : JSON.stringify(content);
}
