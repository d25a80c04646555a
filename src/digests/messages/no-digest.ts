import { renderMoment } from '../../posts/render-post.ts';
import type { Message } from '../../slack/message.ts';
import type { Digest } from '../digest.ts';

/** Sent in place of a personal digest if it couldn't be found out which projects the reader may see. */
export function notCheckedMessage(digest: Pick<Digest, 'zone'>, at: { due: Date; now: Date }): Message {
  const moment = renderMoment(at.due, digest.zone, at.now);
  return {
    text: `No digest for ${moment}: I couldn't check which projects you may see. The next one comes as planned.`,
  };
}

/** Sent in place of a digest if the service didn't answer. `isRefused`: it answered, but refused the request. */
export function serviceDownMessage(
  digest: Pick<Digest, 'zone'>,
  at: { due: Date; now: Date; isRefused: boolean },
): Message {
  const moment = renderMoment(at.due, digest.zone, at.now);
  const trouble = at.isRefused ? 'let me in' : 'answered';
  return {
    text: `No digest for ${moment}: the scheduling service has not ${trouble} for half an hour. The next one comes as planned.`,
  };
}
