import type { Message } from './message.ts';

/** For a person whose permissions could not be checked: nothing was done, and the same may work a moment later. */
export function permissionUnknownMessage(reference: string): Message {
  return { text: `Couldn't check your permissions. Try again. Reference: ${reference}` };
}

/** A person may not do what they attempt. It is no fault: `said` is what they read. */
export class NotAllowed extends Error {
  readonly said: Message;
  constructor(said: Message) {
    super('not allowed');
    this.name = 'NotAllowed';
    this.said = said;
  }
}
