import { momentText } from '../../posts/moment-words.ts';
import type { Message } from '../../slack/message.ts';
import type { Digest } from '../digest.ts';

/** In place of somebody's own digest, where which projects they may see could not be found out. */
export function notChecked(digest: Pick<Digest, 'zone'>, at: { due: Date; now: Date }): Message {
  const moment = momentText(at.due, digest.zone, at.now);
  return {
    text: `No digest for ${moment}: I couldn't check which projects you may see. The next one comes as planned.`,
  };
}

/** In place of a digest for which the service did not answer; `isRefused`: it did, and would not. */
export function serviceDown(
  digest: Pick<Digest, 'zone'>,
  at: { due: Date; now: Date; isRefused: boolean },
): Message {
  const moment = momentText(at.due, digest.zone, at.now);
  const trouble = at.isRefused ? 'let me in' : 'answered';
  return {
    text: `No digest for ${moment}: the scheduling service has not ${trouble} for half an hour. The next one comes as planned.`,
  };
}
