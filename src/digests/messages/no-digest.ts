import { renderMoment } from '../../posts/post-time.ts';
import type { Message } from '../../slack/message.ts';
import type { Digest } from '../digest.ts';

/** Renders the replacement of a personal digest if Upnext couldn't check which projects the reader may see. */
export function renderNotCheckedMessage(
  digest: Pick<Digest, 'zone'>,
  times: { due: Date; now: Date },
): Message {
  const moment = renderMoment(times.due, digest.zone, times.now);
  return {
    text: `I skipped the digest for ${moment} because I couldn’t check which projects you can see. The next one comes as planned.`,
  };
}

/** Renders the replacement of a digest if the service failed. `isRefused`: the service refused the request. */
export function renderServiceDownMessage(
  digest: Pick<Digest, 'zone'>,
  times: { due: Date; now: Date; isRefused: boolean },
): Message {
  const moment = renderMoment(times.due, digest.zone, times.now);
  const failure = times.isRefused ? 'let me in' : 'answered';
  return {
    text: `No digest for ${moment}: the scheduling service hasn’t ${failure} for half an hour. The next one comes as planned.`,
  };
}
