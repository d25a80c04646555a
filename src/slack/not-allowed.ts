import type { Message } from './message.ts';

/** A person may not do what they attempt. It is no fault: `said` is what they read. */
export class NotAllowed extends Error {
  readonly said: Message;
  constructor(said: Message) {
    super('not allowed');
    this.name = 'NotAllowed';
    this.said = said;
  }
}
