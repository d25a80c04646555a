import { MAX_RETRY_DELAY_MS } from './arrivals.ts';

/** The response to a request from Slack. Without `body`, it is empty. */
export interface SlackResponse {
  status: number;
  body?: string;
  /** Whether the body is JSON. Defaults to a text. */
  isJson?: boolean;
}

interface StoredResponse {
  /** Arrival of the request, in ms since the epoch. */
  requestedAt: number;
  /** Size of the entry. 0 while the request is in flight. */
  bytes: number;
  /** Undefined while the request is in flight, or if the request ended without a response. */
  response: SlackResponse | undefined;
  /** Callbacks of retries that wait for the response. */
  waitingRetries: ((response: SlackResponse | undefined) => void)[];
}

/**
 * Maximum size of all stored responses. The oldest are dropped first. Enough for the responses of more than one second
 * at 300 requests per second.
 */
const MAX_BYTES = 2 ** 20;
/**
 * Maximum size of a stored response to a command. For a retry, longer responses, such as lists and help, are built again. Storing
 * them would promote them out of V8's young generation, which costs `/upnext help` a twelfth of its CPU time.
 */
export const MAX_COMMAND_RESPONSE_BYTES = 2 ** 10;
/** Memory for the headers of a response and for its entry. */
const ENTRY_BYTES = 1_024;

/** Stores recent responses by the signature of the request, for Slack's retries. */
export function createStoredResponses(clock: () => number, maxBytes = MAX_BYTES) {
  const stored = new Map<string, StoredResponse>();
  let bytes = 0;
  const dropEntry = (signature: string, { bytes: entryBytes }: StoredResponse) => {
    stored.delete(signature);
    bytes -= entryBytes;
  };
  const dropExpired = (now: number) => {
    // The map is in the order of arrival.
    for (const [signature, entry] of stored) {
      if (now - entry.requestedAt <= MAX_RETRY_DELAY_MS) break;
      dropEntry(signature, entry);
    }
  };
  const finish = (
    signature: string,
    entry: StoredResponse,
    response: SlackResponse | undefined,
    maxResponseBytes: number,
  ) => {
    for (const resolve of entry.waitingRetries.splice(0)) resolve(response);
    if (stored.get(signature) !== entry || entry.bytes > 0) return;
    const responseBytes = response?.body?.length ?? 0;
    if (responseBytes > maxResponseBytes) return dropEntry(signature, entry);
    entry.response = response;
    entry.bytes = ENTRY_BYTES + responseBytes;
    bytes += entry.bytes;
    for (const [oldest, other] of stored) {
      if (bytes <= maxBytes) break;
      // An entry in flight has no size yet, and a retry may wait for its response.
      if (other.bytes > 0) dropEntry(oldest, other);
    }
  };
  return {
    /** Resolves to the stored response, after waiting for a request in flight. Undefined if no response is stored. */
    find(signature: string): Promise<SlackResponse | undefined> | undefined {
      dropExpired(clock());
      const found = stored.get(signature);
      if (!found || found.bytes > 0) return found && Promise.resolve(found.response);
      return new Promise((resolve) => found.waitingRetries.push(resolve));
    },
    /**
     * Reserves an entry for a request. Call the returned function with the response, or with undefined if there will be
     * none. A body longer than `maxResponseBytes` isn't stored; defaults to no limit.
     */
    reserve(
      signature: string,
      maxResponseBytes = Number.POSITIVE_INFINITY,
    ): (response: SlackResponse | undefined) => void {
      const entry: StoredResponse = {
        requestedAt: clock(),
        bytes: 0,
        response: undefined,
        waitingRetries: [],
      };
      stored.set(signature, entry);
      return (response) => finish(signature, entry, response, maxResponseBytes);
    },
  };
}
