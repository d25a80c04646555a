import { type Digest, isPersonal } from '../../digests/digest.ts';
import type { ActionCall } from '../../slack/feature.ts';
import { APP_NAME } from '../../slack/name.ts';
import type { Parts } from '../../submissions/parts.ts';
import { permitSaving } from './may-show.ts';
import { placeOf } from './place.ts';

/**
 * What keeps a digest paused, mrkdwn; or, where it can go on, whether an owner lets another organisation read it.
 * Throws NotAllowed where outsiders read the channel and this person is no owner.
 */
export async function checkResume(
  call: ActionCall<Parts>,
  digest: Digest,
): Promise<{ trouble: string } | { sharedKnown: boolean }> {
  if (isPersonal(digest)) return { sharedKnown: false };
  const place = await placeOf(call, digest.channel);
  // Why it was paused says nothing about who reads the channel now: those who were let in may have left it.
  const isShared = place.audience?.isShared === true;
  if (digest.pausedWhy === 'shared' || isShared) await permitSaving(call, digest, place);
  switch (place.state) {
    case 'not-in':
      return {
        trouble: `Not resumed: I am not in its channel. Type \`/invite @${APP_NAME}\` there, then press Resume again.`,
      };
    case 'archived':
      return { trouble: 'Not resumed: its channel is archived.' };
    default:
      return { sharedKnown: isShared };
  }
}
