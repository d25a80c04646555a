import { randomUUID } from 'node:crypto';
import type { Client } from 'openapi-fetch';
import createHttp from 'openapi-fetch';
import { Agent } from 'undici';
import { z } from 'zod';
import { CallFailed } from './http/call-failed.ts';
import { type AddressGuard, connectWithin } from './http/connect-within.ts';
import { exchange, type MayBegin, TRUNCATED_HEADER, writePath } from './http/exchange.ts';
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
  /** Limit for DNS lookup, connect and TLS of one call, in ms. Defaults to 3,000. */
  connectMs?: number;
  /** Limit for a whole call, to the last byte of the response, in ms. Defaults to 15,000. */
  callMs?: number;
  /** A request with a larger body isn't sent. Defaults to 1 MiB. */
  maxRequestBytes?: number;
  /** Checks the resolved address of each connection. Undefined for the operator's own address, which isn't checked. */
  guard?: AddressGuard | undefined;
  /**
   * Clients with the same share (the workspace's id) share one quota for large responses. Defaults to this client
   * alone.
   */
  share?: Share | undefined;
  /** Defaults to the quota of the process. */
  largeReads?: ReturnType<typeof createLargeReads>;
  /** Called at the end of each call. The record contains no content and no token. */
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

/** The options that each operation passes on to openapi-fetch. */
type CallOptions = {
  parseAs: 'text';
  fetch: (request: Request, mayBegin?: MayBegin) => Promise<Response>;
  headers: Record<string, string>;
};

export interface ApiClient {
  /** The service's address. Clients with the same address share a circuit breaker. */
  readonly address: string;
  /**
   * Identifies the service and token, also through wrappers of this client. Compared by identity; doesn't contain the
   * token.
   */
  readonly credential: object;
  /** The id of the project whose token the client uses. Absent if it uses the workspace's token. */
  readonly tokenOf?: string;
  /** Makes one call without retries. Never rejects. The functions for the operations use this. */
  call(
    operation: Operation,
    send: (http: Client<paths>, call: CallOptions) => Promise<Answer>,
  ): Promise<Outcome<unknown>>;
  /** Waits for the calls in flight, then closes the connections. */
  close(): Promise<void>;
}

/** A client whose calls end as `lease-too-short`, certainly not sent, if `mayBegin` returns false. */
export function withSendPermit(client: ApiClient, mayBegin: MayBegin): ApiClient {
  return {
    ...client,
    call: (operation, send) =>
      client.call(operation, (http, call) =>
        send(http, { ...call, fetch: (request) => call.fetch(request, mayBegin) }),
      ),
  };
}

/** Connections of one client for reads. A read that waits for one until its time limit ends as `busy`. */
const MAX_READS = 16;

const processReads = createLargeReads(LARGE_READS);

/** Creates a client of the scheduling service. The default limits are those for one call of a submission. */
export function createApiClient(options: ApiClientOptions): ApiClient {
  const { baseUrl, token, now = Date.now, connectMs = 3_000, callMs = 15_000, onCall } = options;
  const { maxRequestBytes = 2 ** 20, guard, share = {}, largeReads = processReads } = options;
  // undici's own timeouts are off: the limit of the whole call covers them.
  const connections = { connect: connectWithin(connectMs, guard), headersTimeout: 0, bodyTimeout: 0 };
  // With a guard, connections aren't reused: the address of a reused connection wouldn't be checked again.
  const reads = new Agent({
    ...connections,
    connections: MAX_READS,
    ...(guard && { pipelining: 0 }),
  });
  // A new connection for each write. The service may close a reused connection just when a request is sent, and then
  // the outcome is unknown. If a new connection fails, the request was certainly not sent.
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
        .then((answer) => classifyAnswer(answer, now()), classifyFailure)
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

function classifyFailure(error: unknown): Ending<never> {
  return error instanceof CallFailed ? error.ending : { kind: 'unknown', cause: 'connection-lost' };
}

/**
 * Statuses that say that the request was refused and nothing was changed. 422 and 429 are handled separately. 408, 409
 * and all other statuses leave the outcome unknown.
 */
const REFUSED: ReadonlySet<number> = new Set([400, 401, 403, 404, 413]);

const envelope = z.object({ success: z.boolean(), data: z.unknown().optional() });

export interface Answer {
  response: Response;
  /** The body of a 2xx response, as text. */
  data?: unknown;
  /** The body of any other response, parsed if it is JSON. */
  error?: unknown;
}

function classifySuccess(text: unknown, { status, headers }: Response): Ending<unknown> {
  try {
    const answer = envelope.safeParse(JSON.parse(typeof text === 'string' ? text : '')).data;
    if (answer?.success === true)
      return { kind: 'done', data: answer.data, ...(headers.has(TRUNCATED_HEADER) && { isTruncated: true }) };
    return { kind: 'unknown', cause: answer ? 'success-false' : 'unreadable-answer', status };
  } catch {
    return { kind: 'unknown', cause: 'unreadable-answer', status };
  }
}

/** The ending that a response means. `now` (ms) is needed for a Retry-After that is a date. */
function classifyAnswer(answer: Answer, now: number): Ending<unknown> {
  const { status, ok, headers } = answer.response;
  if (ok) return classifySuccess(answer.data, answer.response);
  if (status === 422) return { kind: 'invalid', problems: readProblems(answer.error) };
  if (REFUSED.has(status)) return { kind: 'refused', status };
  const retryAfterMs = readRetryAfter(headers.get('retry-after'), now);
  const retryAfter = retryAfterMs === undefined ? {} : { retryAfterMs };
  if (status !== 429) return { kind: 'unknown', cause: 'unexpected-status', status, ...retryAfter };
  return { kind: 'not-applied', cause: 'rate-limited', ...retryAfter };
}
