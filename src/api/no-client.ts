import { randomUUID } from 'node:crypto';
import type { ApiClient } from './client.ts';
import type { NotAppliedCause } from './outcome.ts';

/**
 * Stands where there is no service to call: every call ends at once with the reason. `ask` names those who can mend
 * it, in Slack's ids.
 */
export function noClient(
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
