import { type Digest, isPersonal } from '../../digests/digest.ts';
import type { ActionCall } from '../../slack/feature.ts';
import { APP_NAME } from '../../slack/name.ts';
import type { Parts } from '../../submissions/parts.ts';
import { permitSaving } from './may-show.ts';
import { placeOf } from './place.ts';

/**
 * What keeps a digest paused, mrkdwn; undefined where it can go on. Throws where it is not theirs to resume: what
 * another organisation would read takes whoever may make it.
 */
export async function resumeTrouble(call: ActionCall<Parts>, digest: Digest): Promise<string | undefined> {
  if (isPersonal(digest)) return undefined;
  const place = await placeOf(call, digest.channel);
  if (digest.pausedWhy === 'shared' || place.audience?.isShared) await permitSaving(call, digest, place);
  switch (place.state) {
    case 'not-in':
      return `Not resumed: I am not in its channel. Type \`/invite @${APP_NAME}\` there, then press Resume again.`;
    case 'archived':
      return 'Not resumed: its channel is archived.';
    default:
      return undefined;
  }
}
