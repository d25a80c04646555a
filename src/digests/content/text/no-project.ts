import { section } from '../../../slack/blocks.ts';
import type { Message } from '../../../slack/message.ts';
import { type Digest, isPersonal } from '../../digest.ts';

/** Renders the replacement of a digest for which none of the service's projects was chosen. */
export function renderNoProjectMessage(digest: Pick<Digest, 'channel'>): Message {
  const text = isPersonal(digest)
    ? 'Your digest is about no project yet. `/upnext digest` lists it: press Change and choose one.'
    : 'This channel is about no project yet, so there is no digest. `/upnext use` chooses one.';
  return { text, blocks: [section(text)] };
}

/** Renders the replacement of a personal digest whose reader may no longer see any of its projects. */
export function renderNoReadableProjectMessage(): Message {
  const text =
    'I cannot show your digest: its projects are not for you to look at now. `/upnext digest` changes or deletes it.';
  return { text, blocks: [section(text)] };
}
