import type { Message } from '../message.ts';

/** Builds the reply to a button or form of another version of the app. */
export function buildOutdatedMessage(): Message {
  return {
    text: 'This belongs to another version of Upnext and does nothing any more. Type `/upnext help` to see what there is.',
  };
}
