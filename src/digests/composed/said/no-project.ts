import { section } from '../../../slack/blocks.ts';
import type { Message } from '../../../slack/message.ts';
import { type Digest, isPersonal } from '../../digest.ts';

/** Nobody has said which of several projects it is about. */
export function noProject(digest: Pick<Digest, 'channel'>): Message {
  const text = isPersonal(digest)
    ? 'Your digest is about no project yet. `/upnext digest` lists it: press Change and choose one.'
    : 'This channel is about no project yet, so there is no digest. `/upnext use` chooses one.';
  return { text, blocks: [section(text)] };
}

/** To somebody alone, who may not look at any of its projects now. */
export function notYours(): Message {
  const text =
    'I cannot show your digest: its projects are not for you to look at now. `/upnext digest` changes or deletes it.';
  return { text, blocks: [section(text)] };
}
