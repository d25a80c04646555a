import type { SubmissionCall } from '../../app/call.ts';
import type { Digest, DigestSettings } from '../../digests/digest.ts';
import { context, plain, section } from '../../slack/blocks.ts';
import { LIMITS } from '../../slack/limits.ts';
import { checkAuthorMembership } from './conversation.ts';
import { type DigestFormContext, findVisibleDigest } from './digest-form-context.ts';
import { renderSaved } from './digest-text.ts';
import { permitManaging, permitSaving, recordDigestChange } from './permit-digest.ts';

export const TITLE = 'Digest';

/** The settings from the form. The workspace and the author come from the call. `me`: a personal digest. */
export type DigestFormContent = Omit<DigestSettings, 'workspace' | 'channel'> & {
  channel: string | 'me';
  id?: string;
};

const REMOVED = { where: 'This digest was removed meanwhile. Type /upnext digest for a new one.' };
const CHANGED = {
  where:
    'Nothing was saved: somebody changed or removed this digest just now. Type /upnext digest list to see it.',
};

/** Saves a digest from the form, after a check of the actor's permissions. */
export async function saveFromForm(
  call: SubmissionCall,
  { channel, ...content }: DigestFormContent,
  { formContext, now }: { formContext: DigestFormContext; now: Date },
  { showErrors }: { showErrors(errors: { where?: string; channel?: string }): Promise<void> },
): Promise<void> {
  const { workspace, user } = call.actor;
  // The form read the channel when it was submitted, so the conversation is current.
  const conversation = channel === 'me' ? undefined : formContext.conversation;
  const settings = { ...content, workspace, channel: channel === 'me' ? user : channel };
  // The digest's projects may have changed since the form was opened.
  const stored = settings.id === undefined ? undefined : await findVisibleDigest(call, settings.id);
  if (settings.id !== undefined && !stored) return showErrors(REMOVED);
  if (stored) await permitManaging(call, stored, 'digests change');
  await permitSaving(call, settings, conversation);
  if (conversation) {
    const fault = await checkAuthorMembership(call, conversation);
    if (fault !== undefined) return showErrors({ channel: fault });
  }
  const saved = await call.context.digests.save(
    { ...settings, ...(stored && { loadedDigest: stored }) },
    user,
  );
  if (!saved) return showErrors(stored ? CHANGED : REMOVED);
  recordDigestChange(call, settings, 'digests save');
  await showSaved(call, saved, { formContext, now });
}

async function showSaved(
  call: SubmissionCall,
  digest: Digest,
  { formContext, now }: { formContext: DigestFormContext; now: Date },
): Promise<void> {
  await call.answer({
    view: {
      type: 'modal',
      title: plain(TITLE, LIMITS.viewTitle),
      close: plain('Close', LIMITS.viewTitle),
      blocks: [
        section(renderSaved(digest, formContext.projects, now)),
        context('`/upnext digest` lists, changes, pauses and deletes them.'),
      ],
    },
  });
}
