import type { ModalView } from '@slack/types';
import type { SubmissionCall } from '../../app/call.ts';
import type { Digest, DigestSettings } from '../../digests/digest.ts';
import { findMembershipFault } from '../../forms/conversation.ts';
import type { FormAnswer, FormOrigin } from '../../forms/form.ts';
import { context } from '../../slack/blocks.ts';
import { buildModal } from '../../slack/message-view.ts';
import { type DigestFormContext, findVisibleDigest } from './digest-form-context.ts';
import { renderSavedDigest } from './digest-messages.ts';
import { recordDigestChange, requireManagePermission, requireSavePermission } from './permit-digest.ts';

export const TITLE = 'Digest';

/** The settings from the form, without the workspace. The channel 'me' stands for a personal digest. */
export type DigestFormContent = Omit<DigestSettings, 'workspace' | 'channel'> & {
  channel: string | 'me';
  /** The id of the edited digest; absent for a new one. */
  id?: string;
};

const REMOVED_ERRORS = { where: 'This digest was removed. Type /upnext digest for a new one.' };
const CONFLICT_ERRORS = {
  where:
    'Nothing was saved: somebody changed or removed this digest just now. Type /upnext digest list to see it.',
};

/** Saves a digest from the form, if the actor has the permissions. */
export async function saveFromForm(
  call: SubmissionCall,
  { channel, ...content }: DigestFormContent,
  { formContext, now }: { formContext: DigestFormContext; now: Date },
  { formId }: FormOrigin,
): Promise<FormAnswer> {
  const { workspace, user } = call.actor;
  // The form read the channel when it was submitted, so the conversation is current.
  const conversation = channel === 'me' ? undefined : formContext.conversation;
  const settings = { ...content, workspace, channel: channel === 'me' ? user : channel };
  // The digest's projects may have changed since the form was opened. A new digest has the id of its form, so it is
  // found if the form comes again because its answer was lost, perhaps with other settings.
  const storedDigest = await findVisibleDigest(call, settings.id ?? formId);
  if (settings.id !== undefined && !storedDigest) return { errors: REMOVED_ERRORS };
  if (storedDigest) await requireManagePermission(call, storedDigest, 'digests change');
  await requireSavePermission(call, settings, conversation);
  if (conversation) {
    const membershipFault = await findMembershipFault(call, conversation, 'set up a digest there');
    if (membershipFault !== undefined) return { errors: { channel: membershipFault } };
  }
  const savedDigest = await call.context.digests.save(
    {
      ...settings,
      requestId: formId,
      ...(storedDigest && { id: storedDigest.id, loadedDigest: storedDigest }),
    },
    user,
  );
  if (!savedDigest) return { errors: storedDigest ? CONFLICT_ERRORS : REMOVED_ERRORS };
  recordDigestChange(call, settings, 'digests save');
  return { view: renderSavedView(savedDigest, formContext, now) };
}

function renderSavedView(digest: Digest, { projects }: DigestFormContext, now: Date): ModalView {
  return buildModal(TITLE, [
    ...renderSavedDigest(digest, projects, now).blocks,
    context('`/upnext digest` lists, changes, pauses and deletes them.'),
  ]);
}
