import type { Call } from '../../../app/call.ts';
import { readUnconfirmedForm } from '../../../forms/current-form.ts';
import { buildFormMetadata } from '../../../forms/field.ts';
import { storeForm } from '../../../forms/stored-form.ts';
import { postForm } from '../post-form.ts';
import type { PostState } from './preview-changes.ts';

export interface StoredPreview {
  state: PostState;
  channel: string | undefined;
  /** Whether its post was found to have been sent before by another form. */
  isUsed: boolean;
}

/** Reads a stored preview. Undefined if it belongs to somebody else, was cancelled, or has expired. */
export async function readPreview(call: Call, id: string): Promise<StoredPreview | undefined> {
  const unconfirmed = await readUnconfirmedForm(postForm, call, buildFormMetadata(postForm.version, id));
  if (!unconfirmed) return undefined;
  const { state, stored } = unconfirmed;
  return { state, channel: stored.channel, isUsed: stored.isHandled === true };
}

/**
 * Returns the form id of a preview's submissions. The form that [Edit] opens has the same id, so that only one of the
 * two can be sent.
 */
export function getSubmissionFormId(id: string): string {
  return `${id}-sent`;
}

/** Removes the stored values, so that the preview can't be sent any more. */
export async function discardPreview(call: Call, id: string, { formContext }: PostState): Promise<void> {
  await storeForm(postForm, call, id, { formContext });
}
