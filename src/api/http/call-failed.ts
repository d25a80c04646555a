import type { Ending } from '../outcome.ts';

/** A call that ended without an answer to read; `ending` says what is known of it. Never leaves the client. */
export class CallFailed extends Error {
  readonly ending: Ending<never>;

  constructor(ending: Ending<never>, cause?: unknown) {
    super(`The call ended without an answer: ${ending.kind}`, { cause });
    this.name = 'CallFailed';
    this.ending = ending;
  }
}
