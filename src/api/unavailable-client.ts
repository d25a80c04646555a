import { randomUUID } from 'node:crypto';
import type { ApiClient } from './client.ts';
import type { NotAppliedCause } from './outcome.ts';

/**
 * A client for a workspace without a usable service: every call ends at once with the cause. `ask` returns the Slack
 * user ids of the people who can fix that.
 */
export function createUnavailableClient(
  cause: Extract<NotAppliedCause, 'not-connected' | 'address-not-allowed'>,
  ask: () => Promise<readonly string[]> = async () => [],
): ApiClient {
  return {
    address: '',
    credential: {},
    call: async () => ({ kind: 'not-applied', cause, ask: await ask(), requestId: randomUUID() }),
    close: async () => undefined,
  };
}
