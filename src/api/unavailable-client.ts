import { randomUUID } from 'node:crypto';
import type { ApiClient } from './client.ts';
import type { NotAppliedCause } from './outcome.ts';

/**
 * Creates a client for a workspace without a usable service. Every call ends at once with `cause`. `listContacts`
 * returns the Slack user ids of the people who can fix the cause.
 */
export function createUnavailableClient(
  cause: Extract<NotAppliedCause, 'not-connected' | 'address-not-allowed'>,
  listContacts: () => Promise<readonly string[]> = async () => [],
): ApiClient {
  return {
    address: '',
    credential: {},
    call: async () => ({
      kind: 'not-applied',
      cause,
      contactIds: await listContacts(),
      requestId: randomUUID(),
    }),
    close: async () => undefined,
  };
}
