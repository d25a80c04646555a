import { section } from '../../../slack/blocks.ts';
import type { Message } from '../../../slack/message.ts';
import { type Digest, isPersonal } from '../../digest.ts';

/** Sent if the service has several projects and none was chosen for the digest. */
export function noProjectMessage(digest: Pick<Digest, 'channel'>): Message {
  const text = isPersonal(digest)
    ? 'Your digest is about no project yet. `/upnext digest` lists it: press Change and choose one.'
    : 'This channel is about no project yet, so there is no digest. `/upnext use` chooses one.';
  return { text, blocks: [section(text)] };
}

/** Sent to the reader of a personal digest who may no longer see any of its projects. */
export function noReadableProjectMessage(): Message {
  const text =
    'I cannot show your digest: its projects are not for you to look at now. `/upnext digest` changes or deletes it.';
  return { text, blocks: [section(text)] };
}
