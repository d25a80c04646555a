import type { ActionCall } from '../../app/call.ts';
import { type Digest, isPersonal } from '../../digests/digest.ts';
import { getAudience, readConversation } from '../../forms/conversation.ts';
import { isInternal } from '../../slack/audience.ts';
import { APP_NAME } from '../../slack/name.ts';
import { confirmSharingWithOutsiders } from '../../slack/share-outside.ts';
import { requireSavePermission } from './permit-digest.ts';

/** Action id of [Resume anyway], with which an owner allows the named outsiders to read the digest. */
export const RESUME_SHARED_ACTION = 'digests.resume-shared';

const QUESTION = {
  question: 'Its people would read this digest. Resume it anyway?',
  unchangedNote: 'It’s still paused.',
  confirmLabel: 'Resume anyway',
  closeLabel: 'Don’t resume',
};

/**
 * The result of the check before a digest is resumed.
 *
 * - `failureText`: the reason why the digest can't be resumed (mrkdwn).
 * - 'question-sent': the owner must first confirm that outsiders may read the digest.
 * - `sharedWith`: the digest can be resumed with this new setting.
 */
type ResumeCheck = { failureText: string } | 'question-sent' | Pick<Digest, 'sharedWith'>;

/** Checks a digest before resuming. Throws NotAllowed if outsiders read the channel and the actor isn't an owner. */
export async function checkResume(call: ActionCall, digest: Digest): Promise<ResumeCheck> {
  if (isPersonal(digest)) return { sharedWith: null };
  const conversation = await readConversation(call, digest.channel);
  switch (conversation.state) {
    case 'not-in':
      return {
        failureText: `Not resumed. I’m not in its channel: type \`/invite @${APP_NAME}\` there, then resume it again.`,
      };
    case 'archived':
      return { failureText: 'Not resumed. Its channel is archived.' };
    default:
  }
  const audience = getAudience(conversation);
  if (isInternal(audience)) return { sharedWith: null };
  await requireSavePermission(call, digest, conversation);
  const question = { ...QUESTION, audience, id: digest.id, confirmAction: RESUME_SHARED_ACTION };
  if (!(await confirmSharingWithOutsiders(call, question))) return 'question-sent';
  return { sharedWith: conversation.audience?.outsiders ?? null };
}
