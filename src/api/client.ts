import { randomUUID } from 'node:crypto';
import type { Client } from 'openapi-fetch';
import createHttp from 'openapi-fetch';
import { Agent } from 'undici';
import { z } from 'zod';
import { CallFailed } from './http/call-failed.ts';
import { type AddressGuard, connectWithin } from './http/connect-within.ts';
import { exchange, type MayBegin, TRUNCATED, writePath } from './http/exchange.ts';
import { readRetryAfter } from './http/retry-after.ts';
import { ANSWER_LIMITS, LARGE_READS } from './json/answer-limits.ts';
import { createLargeReads, type Share } from './json/large-reads.ts';
import type { Ending, Outcome } from './outcome.ts';
import { readProblems } from './problems.ts';
import type { operations, paths } from './schema.d.ts';

export type { AddressGuard } from './http/connect-within.ts';

export interface ApiClientOptions {
  /** The service's address, without /api/v1. */
  baseUrl: string;
  token: string;
  now?: () => number;
  /** Look-up, connect and TLS of one call, in ms: 3,000. */
  connectMs?: number;
  /** One call from its beginning to the last byte of its answer, in ms: 15,000. */
  callMs?: number;
  /** Of a request's body: 1 MiB. A larger one is not sent. */
  maxRequestBytes?: number;
  /** Each call resolves the address and checks where it leads; the operator's own address goes without. */
  guard?: AddressGuard | undefined;
  /** Whose large answers count together: the workspace's id. Defaults to this client alone. */
  share?: Share | undefined;
  /** Defaults to the process's own. */
  largeReads?: ReturnType<typeof createLargeReads>;
  /** Told of each call when it has ended; holds no content and no token. */
  onCall?: (record: CallRecord) => void;
}

export interface CallRecord {
  operation: Operation;
  status?: number;
  ms: number;
  outcome: Outcome<unknown>['kind'];
  requestId: string;
}

export type Operation = keyof operations;

/** What each operation passes on to openapi-fetch. */
type CallOptions = {
  parseAs: 'text';
  fetch: (request: Request, mayBegin?: MayBegin) => Promise<Response>;
  headers: Record<string, string>;
};

export interface ApiClient {
  /** The service's address: what is out of order there is so for all who call it. */
  readonly address: string;
  /** Stands for the service and token that it calls with, whatever wraps it: compared by identity, and tells nothing of the token. */
  readonly credential: object;
  /** The id of the project whose own token it uses; absent where that is the workspace's. */
  readonly tokenOf?: string;
  /** Makes one call, once, and says how it ended; never rejects. The functions of the tags' files use this. */
  call(
    operation: Operation,
    send: (http: Client<paths>, call: CallOptions) => Promise<Answer>,
  ): Promise<Outcome<unknown>>;
  /** Lets the calls under way end, then closes their connections. */
  close(): Promise<void>;
}

/** The same client; a call whose `mayBegin` says no ends as `lease-too-short`, and certainly wasn't sent. */
export function permittedClient(client: ApiClient, mayBegin: MayBegin): ApiClient {
  return {
    ...client,
    call: (operation, send) =>
      client.call(operation, (http, call) =>
        send(http, { ...call, fetch: (request) => call.fetch(request, mayBegin) }),
      ),
  };
}

/** Connections of one client for reads; a read whose time ends while it waits for one is `busy`. */
const MAX_READS = 16;

const processReads = createLargeReads(LARGE_READS);

/** A client of the scheduling service; the limits' defaults are the rules for one call of a submission. */
export function createApiClient(options: ApiClientOptions): ApiClient {
  const { baseUrl, token, now = Date.now, connectMs = 3_000, callMs = 15_000, onCall } = options;
  const { maxRequestBytes = 2 ** 20, guard, share = {}, largeReads = processReads } = options;
  // The limit of the whole call is the only clock; undici's own would tick beside it.
  const connections = { connect: connectWithin(connectMs, guard), headersTimeout: 0, bodyTimeout: 0 };
  // A kept connection would not be looked at again.
  const reads = new Agent({
    ...connections,
    connections: MAX_READS,
    ...(guard && { pipelining: 0 }),
  });
  // A connection of its own for each write: one that was kept may be closed by the service just when a request goes
  // out, and then nobody knows whether it arrived. A fresh one that cannot be had is certain.
  const writes = new Agent({ ...connections, pipelining: 0 });
  const http = createHttp<paths>({ baseUrl, pathSerializer: writePath });

  return {
    address: baseUrl,
    credential: {},
    async call(operation, send) {
      const requestId = randomUUID();
      const started = now();
      let status: number | undefined;
      const turn = largeReads(share);
      const fetch = async (request: Request, mayBegin?: MayBegin) => {
        const dispatcher = request.method === 'GET' ? reads : writes;
        const limits = { callMs, maxRequestBytes, answer: ANSWER_LIMITS[operation], turn };
        const response = await exchange(request, dispatcher, limits, mayBegin);
        status = response.status;
        return response;
      };
      const headers = {
        Authorization: `Bearer ${token}`,
        Accept: 'application/json',
        'User-Agent': 'upnext',
        'X-Request-Id': requestId,
      };
      const ending = await send(http, { parseAs: 'text', fetch, headers })
        .then((answer) => endingOf(answer, now()), endingOfFailure)
        .finally(turn.end);
      onCall?.({
        operation,
        ...(status !== undefined && { status }),
        ms: now() - started,
        outcome: ending.kind,
        requestId,
      });
      return { ...ending, requestId };
    },
    async close() {
      await Promise.all([reads.close(), writes.close()]);
    },
  };
}

function endingOfFailure(error: unknown): Ending<never> {
  return error instanceof CallFailed ? error.ending : { kind: 'unknown', cause: 'connection-lost' };
}

/**
 * The statuses that say the request was looked at and turned down, so nothing was changed. 422 and 429 are told apart
 * from these; 408, 409 and whatever else is not named here is unknown.
 */
const REFUSED: ReadonlySet<number> = new Set([400, 401, 403, 404, 413]);

const envelope = z.object({ success: z.boolean(), data: z.unknown().optional() });

export interface Answer {
  response: Response;
  /** The text of a 2xx. */
  data?: unknown;
  /** The body of anything else, parsed where it is JSON. */
  error?: unknown;
}

function endingOfSuccess(text: unknown, { status, headers }: Response): Ending<unknown> {
  try {
    const answer = envelope.safeParse(JSON.parse(typeof text === 'string' ? text : '')).data;
    if (answer?.success === true)
      return { kind: 'done', data: answer.data, ...(headers.has(TRUNCATED) && { isTruncated: true }) };
    return { kind: 'unknown', cause: answer ? 'success-false' : 'unreadable-answer', status };
  } catch {
    return { kind: 'unknown', cause: 'unreadable-answer', status };
  }
}

/** What an answer says about its request; `now` (ms) is for a Retry-After that is a date. */
function endingOf(answer: Answer, now: number): Ending<unknown> {
  const { status, ok, headers } = answer.response;
  if (ok) return endingOfSuccess(answer.data, answer.response);
  if (status === 422) return { kind: 'invalid', problems: readProblems(answer.error) };
  if (REFUSED.has(status)) return { kind: 'refused', status };
  const retryAfterMs = readRetryAfter(headers.get('retry-after'), now);
  const asked = retryAfterMs === undefined ? {} : { retryAfterMs };
  if (status !== 429) return { kind: 'unknown', cause: 'unexpected-status', status, ...asked };
  return { kind: 'not-applied', cause: 'rate-limited', ...asked };
}
