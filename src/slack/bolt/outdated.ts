import type { Message } from '../message.ts';

/** Builds the reply to a button or form of another version of the app. */
export function buildOutdatedMessage(): Message {
  return {
    text: 'This is from an older version of Upnext. See all commands with `/upnext help`.',
  };
}
