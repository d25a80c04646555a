import type { SubmissionKind } from './kind.ts';
import type { Machine } from './machine.ts';

/** One submission as it arrives from a form. */
export interface Received<Content> {
  workspace: string;
  author: string;
  /** The form's id; for an edit, the id of the edited submission. */
  origin: string;
  item: number;
  channel?: string;
  /** The open view that will show the result. */
  viewId?: string;
  content: Content;
}

/** The columns of a new row that are keyed hashes. */
export async function hashColumns<Content>(
  machine: Machine,
  kind: SubmissionKind<Content>,
  { workspace, content }: Received<Content>,
): Promise<{ endpoint: string; fingerprint: string }> {
  const project = kind.project(content)?.id;
  const address = await machine.addressOf(workspace, project);
  const equal = equalityOf(kind, content);
  const [endpoint, fingerprint] = await Promise.all([
    machine.endpointOf(address),
    machine.fingerprintOf({ workspace, address, kind: kind.name, project: project ?? '', equal }),
  ]);
  return { endpoint, fingerprint };
}

/**
 * Keys for uncertain saves: one for the form, and one for the author's content from any form. Computed without the
 * database.
 */
export function saveKeys<Content>(
  kind: SubmissionKind<Content>,
  { workspace, author, origin, item, content }: Received<Content>,
): string[] {
  const form = JSON.stringify([workspace, author, origin, item]);
  if (kind.whenUnknown.way === 'repeat') return [form];
  const project = kind.project(content)?.id ?? '';
  return [form, JSON.stringify([workspace, author, kind.name, project, equalityOf(kind, content)])];
}

/** The same for equal submissions of a kind: the content, or the target of a kind that is safe to repeat. */
function equalityOf<Content>({ whenUnknown }: SubmissionKind<Content>, content: Content): string {
  if (whenUnknown.way === 'reconcile') return whenUnknown.fingerprint(content);
  return whenUnknown.way === 'repeat' ? whenUnknown.target(content) : JSON.stringify(content);
}
