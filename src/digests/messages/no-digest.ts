import { renderMoment } from '../../posts/post-time.ts';
import { section } from '../../slack/blocks.ts';
import type { Message } from '../../slack/message.ts';
import { describeFailure, type ServiceFailure } from '../../slack/service-failure.ts';
import { type Digest, isPersonal } from '../digest.ts';

/** Renders the message instead of a personal digest if Upnext couldn't check which projects the reader may see. */
export function renderNotCheckedMessage(
  digest: Pick<Digest, 'zone'>,
  times: { due: Date; now: Date },
): Message {
  const moment = renderMoment(times.due, digest.zone, times.now);
  return {
    text: `I skipped the digest for ${moment} because I couldn’t check which projects you can see. The next one comes as planned.`,
  };
}

/** Renders the message instead of a digest if the service failed. */
export function renderServiceDownMessage(
  digest: Pick<Digest, 'zone'>,
  times: { due: Date; now: Date; failure: ServiceFailure },
): Message {
  const moment = renderMoment(times.due, digest.zone, times.now);
  return {
    text: `No digest for ${moment}: the scheduling service hasn’t ${describeFailure(times.failure)} for half an hour. The next one comes as planned.`,
  };
}

/** Renders the message instead of a digest for which nobody has chosen a project. */
export function renderNoProjectMessage(digest: Pick<Digest, 'channel'>): Message {
  const text = isPersonal(digest)
    ? 'Your digest has no project yet. Find it with `/upnext digest`, then press Change to choose one.'
    : 'This channel doesn’t follow a project yet, so there’s no digest. Choose one with `/upnext use`.';
  return { text, blocks: [section(text)] };
}

/** Renders the message instead of a personal digest whose reader may no longer see any of its projects. */
export function renderNoReadableProjectMessage(): Message {
  const text =
    'I can’t show your digest because you no longer have access to its projects. Change or delete it with `/upnext digest`.';
  return { text, blocks: [section(text)] };
}
