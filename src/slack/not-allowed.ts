import type { Message } from './message.ts';

/** The permission check failed, so nothing was done. The same request may work a moment later. */
export function permissionUnknownMessage(reference: string): Message {
  return { text: `Couldn't check your permissions. Try again. Reference: ${reference}` };
}

/** The person isn't allowed to do this. Not a fault: `copy` is the answer that the person reads. */
export class NotAllowed extends Error {
  readonly copy: Message;
  constructor(copy: Message) {
    super('not allowed');
    this.name = 'NotAllowed';
    this.copy = copy;
  }
}
