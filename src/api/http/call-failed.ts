import type { Ending } from '../outcome.ts';

/** A call ended without a readable response. `ending` is its classification. Caught by the API client. */
export class CallFailed extends Error {
  readonly ending: Ending<never>;

  constructor(ending: Ending<never>, cause?: unknown) {
    super(`call ended without a response: ${ending.kind}`, { cause });
    this.name = 'CallFailed';
    this.ending = ending;
  }
}
