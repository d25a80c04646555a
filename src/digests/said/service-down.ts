import { momentWords } from '../../posts/moment-words.ts';
import type { Message } from '../../slack/message.ts';
import type { Digest } from '../digest.ts';

/** In place of a digest for which the service did not answer. */
export function serviceDown(digest: Pick<Digest, 'zone'>, at: { due: Date; now: Date }): Message {
  const moment = momentWords(at.due, digest.zone, at.now);
  return {
    text: `No digest for ${moment}: the scheduling service has not answered for half an hour. The next one comes as planned.`,
  };
}
