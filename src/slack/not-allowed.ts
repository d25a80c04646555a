import type { Message } from './message.ts';

/** Builds the reply to a request whose permission check failed with an error. The same request may succeed later. */
export function buildPermissionUnknownMessage(reference: string): Message {
  return { text: `Couldn't check your permissions. Try again. Reference: ${reference}` };
}

/** The actor isn't allowed to do this. Not a failure of the app. `copy` is the reply to the actor. */
export class NotAllowed extends Error {
  readonly copy: Message;
  constructor(copy: Message) {
    super('not allowed');
    this.name = 'NotAllowed';
    this.copy = copy;
  }
}
