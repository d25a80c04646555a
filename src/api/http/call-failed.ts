import type { OutcomeDetails } from '../outcome.ts';

/**
 * A call ended without a readable response. `ending` is the outcome that callers of the API receive. The API client
 * catches this error.
 */
export class CallFailed extends Error {
  readonly ending: OutcomeDetails<never>;

  constructor(ending: OutcomeDetails<never>, cause?: unknown) {
    super(`call ended without a response: ${ending.kind}`, { cause });
    this.name = 'CallFailed';
    this.ending = ending;
  }
}
