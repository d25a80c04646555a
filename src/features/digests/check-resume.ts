import type { ActionCall } from '../../app/call.ts';
import { type Digest, isPersonal } from '../../digests/digest.ts';
import { APP_NAME } from '../../slack/name.ts';
import { confirmSharingWithOutsiders, isInternal } from '../../slack/share-outside.ts';
import { audienceOfChannel, readConversation } from './conversation.ts';
import { permitSaving } from './permit-digest.ts';

/** [Resume all the same]: an owner agrees that the named outsiders read the digest. */
export const RESUME_OUTSIDE = 'digests.resume-outside';

const QUESTION = {
  question: 'Its people would read this digest. Resume it all the same?',
  unchangedNote: 'Nothing was resumed yet.',
  confirmLabel: 'Resume all the same',
  closeLabel: "Don't resume",
};

/**
 * Whether a digest can be resumed. `trouble`: why it can't (mrkdwn). `asked`: the owner got a question about the outsiders
 * in the channel. Otherwise it can, and `sharedWith` names the organisations that an owner allows to read it. Throws
 * NotAllowed if outsiders read the channel and the actor isn't an owner.
 */
export async function checkResume(
  call: ActionCall,
  digest: Digest,
): Promise<{ trouble: string } | 'asked' | Pick<Digest, 'sharedWith'>> {
  if (isPersonal(digest)) return { sharedWith: null };
  const conversation = await readConversation(call, digest.channel);
  switch (conversation.state) {
    case 'not-in':
      return {
        trouble: `Not resumed: I am not in its channel. Type \`/invite @${APP_NAME}\` there, then press Resume again.`,
      };
    case 'archived':
      return { trouble: 'Not resumed: its channel is archived.' };
    default:
  }
  const audience = audienceOfChannel(conversation);
  if (isInternal(audience)) return { sharedWith: null };
  await permitSaving(call, digest, conversation);
  const about = { ...QUESTION, audience, id: digest.id, confirmAction: RESUME_OUTSIDE };
  if (!(await confirmSharingWithOutsiders(call, about))) return 'asked';
  return { sharedWith: conversation.audience?.outsiders ?? null };
}
