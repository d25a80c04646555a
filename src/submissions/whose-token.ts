import type { ApiClient } from '../api/client.ts';

/**
 * Stands for the service and token that a client calls with: each of these has a client of its own, and all that wraps
 * it closes the same connections.
 */
export function whoseToken(api: ApiClient): object {
  return api.close;
}
