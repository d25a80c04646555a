import type { Message } from '../message.ts';

/** The answer to a button or form of another version. */
export function outdatedMessage(): Message {
  return {
    text: 'This belongs to another version of Upnext and does nothing any more. Type `/upnext help` to see what there is.',
  };
}
