import { buildFailureMessage, type Message } from './message.ts';

/** Builds the reply to a request whose permission check failed with an error. The actor may try again later. */
export function buildPermissionUnknownMessage(reference: string): Message {
  return buildFailureMessage('I couldn’t check your permissions. Try again.', reference);
}

/** The actor isn't allowed to do this. Not logged as a failure. `copy` is the reply to the actor. */
export class NotAllowed extends Error {
  readonly copy: Message;
  constructor(copy: Message) {
    super('not allowed');
    this.name = 'NotAllowed';
    this.copy = copy;
  }
}

/** Whether the actor is allowed to do this couldn't be found out. */
export class PermissionUnknown extends NotAllowed {
  constructor(reference: string) {
    super(buildPermissionUnknownMessage(reference));
    this.name = 'PermissionUnknown';
  }
}
