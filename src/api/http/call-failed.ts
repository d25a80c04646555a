import type { OutcomeDetails } from '../outcome.ts';

/** A response exceeded one of its limits. It wasn't read further. */
export class ResponseTooLarge extends Error {
  override readonly name = 'ResponseTooLarge';
}

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
