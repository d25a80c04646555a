import type { SubmissionKind } from './kind.ts';
import type { SubmissionContext } from './submission-context.ts';

/** An unsaved submission from a form or button. */
export interface ReceivedSubmission<Content> {
  workspace: string;
  author: string;
  /** The form's id. For an edit, the id of the edited submission. */
  origin: string;
  /** The index of the publishing time in the form; 0 if there is none. */
  item: number;
  channel?: string;
  /** The id of the open view for the result. */
  viewId?: string;
  /** The message that will show the result, and can be updated. */
  message?: { channel: string; ts: string };
  content: Content;
}

/** Computes the keyed hashes of a new row. */
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
 * Computes the keys of an uncertain save. The first key identifies the form. The second key identifies the author and
 * the content.
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
 * Computes the equality key. Equal submissions of a kind have the same key. For kinds that are safe to repeat, the key
 * is the target.
 */
function computeEqualityKey<Content>({ unknownOutcome }: SubmissionKind<Content>, content: Content): string {
  if (unknownOutcome.strategy === 'reconcile') return unknownOutcome.computeFingerprint(content);
  return unknownOutcome.strategy === 'repeat' ? unknownOutcome.getTarget(content) : JSON.stringify(content);
}
