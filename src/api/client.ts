import { randomUUID } from 'node:crypto';
import { DateTime } from 'luxon';
import createHttp, { type Client } from 'openapi-fetch';
import { Agent } from 'undici';
import { z } from 'zod';
import { MINUTE_MS, readLocalTime } from '../durations.ts';
import { createSlots, type QuotaKey } from '../slots.ts';
import { type AddressGuard, CallFailed, createConnector, readInTurn } from './http/connector.ts';
import { exchange, fillPath, type MayBegin, TRUNCATED_HEADER } from './http/exchange.ts';
import { parseJson } from './json/bounded-json.ts';
import { LARGE_READS, RESPONSE_LIMITS } from './json/response-limits.ts';
import type { NotAppliedCause, Outcome, OutcomeDetails } from './outcome.ts';
import { type FieldProblem, isRefusalBody, mayHaveRecord, readProblems } from './problems.ts';
import { isObject, type Records, readPaging } from './records.ts';
import type { operations, paths } from './schema.d.ts';

export type { AddressGuard } from './http/connector.ts';

export interface ApiClientOptions {
  /** The service's address, without /api/v1. */
  baseUrl: string;
  token: string;
  /** Clock in ms since the epoch. Defaults to the system clock. */
  now?: () => number;
  /** Limit for the DNS lookup, connect and TLS of one call. Defaults to 3,000. */
  maxConnectMs?: number;
  /** Limit for a whole call, to the last byte of the response. Defaults to 15,000. */
  maxCallMs?: number;
  /** Checks the resolved address of each connection. Undefined for the address in the operator's settings. */
  guard?: AddressGuard | undefined;
  /** The key of the quota for large responses: the workspace's id. Defaults to a separate quota for this client. */
  quotaKey?: QuotaKey | undefined;
  /** Creates the slot of a call for a large response, for all clients of an app. Defaults to slots of this client. */
  createSlot?: ReturnType<typeof createSlots>;
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

type RequestOptions = {
  parseAs: 'text';
  fetch: (request: Request, mayBegin?: MayBegin) => Promise<Response>;
  headers: Record<string, string>;
};

/** The ids of the projects of one service of a workspace: see `buildProjectId`. */
export interface ProjectIds {
  /** Returns Upnext's id of a project that has this id at the service. Undefined if Upnext may not use it. */
  find(serviceId: string): string | undefined;
  /** Returns listed projects, which have the service's ids, with Upnext's. Leaves out those that may not be used. */
  receive(projects: Records<ListedProject>): Promise<Records<ListedProject>>;
}

export interface ListedProject {
  id: string;
  name: string;
  /** When the service made it. Absent if it doesn't say so. */
  createdAt?: Date | undefined;
}

export interface ApiClient {
  /** The service's address. Clients with the same address share a circuit breaker. */
  readonly address: string;
  /**
   * An object that identifies the service and the token, and is compared by identity. Wrappers of this client have the
   * same object. It doesn't contain the token.
   */
  readonly credential: object;
  /** The id of the stored credential that the client uses; '' for the service in the settings. Absent without either. */
  readonly credentialId?: string;
  /** The id of the project whose token the client uses. Absent if the client uses the workspace's token. */
  readonly tokenProjectId?: string;
  /** The ids of the service's projects in Upnext. Absent if they are the service's own. */
  readonly projectIds?: ProjectIds | undefined;
  /** Makes one call, without retries. Never rejects. The functions for the operations use this method. */
  call(
    operation: Operation,
    send: (http: Client<paths>, requestOptions: RequestOptions) => Promise<ApiResponse>,
  ): Promise<Outcome<unknown>>;
  /** Waits for the calls in flight, then closes the connections. */
  close(): Promise<void>;
}

/** Returns a client that asks `mayBegin` before a request. If false, nothing is sent: `lease-too-short`. */
export function withSendPermit(client: ApiClient, mayBegin: MayBegin): ApiClient {
  return {
    ...client,
    call: (operation, send) =>
      client.call(operation, (http, requestOptions) =>
        send(http, {
          ...requestOptions,
          fetch: (request) => requestOptions.fetch(request, mayBegin),
        }),
      ),
  };
}

/**
 * Maximum number of connections of a client for reads. 320 posts a second, each after a read of 100 ms, keep 32 of them busy.
 * A read that gets none within its time limit ends as `busy`.
 */
const MAX_READ_CONNECTIONS = 48;

/**
 * How long an idle connection stays open. By default, undici follows a service that asks for up to ten minutes, and 4,597
 * workspaces with such services kept 2,500 connections and half a gigabyte.
 */
const IDLE_CONNECTION_MS = 4_000;

/** Creates the slots of calls for large responses, which the clients of an app share. */
export const createReadSlots = () => createSlots(LARGE_READS);

/** Creates a client of the scheduling service. The default limits are those for one call of a submission. */
export function createApiClient(options: ApiClientOptions): ApiClient {
  const { baseUrl, token, now = readLocalTime, maxConnectMs = 3_000, maxCallMs = 15_000, onCall } = options;
  const { guard, quotaKey = {}, createSlot = createReadSlots() } = options;
  // The timeouts of undici are off, because the limit of the whole call covers them.
  const connections = {
    connect: createConnector(maxConnectMs, (read) => readInTurn(quotaKey, read), guard),
    headersTimeout: 0,
    bodyTimeout: 0,
  };
  // Reads reuse connections. Each connection checks its address when it is opened, and keeps this address even if the
  // name resolves to another one later.
  const readAgent = new Agent({
    ...connections,
    connections: MAX_READ_CONNECTIONS,
    keepAliveTimeout: IDLE_CONNECTION_MS,
    keepAliveMaxTimeout: IDLE_CONNECTION_MS,
  });
  // Each write uses a new connection. If a new connection fails, the request was certainly not sent. The service may
  // close a reused connection while a request is being sent, and then the outcome is unknown.
  const writeAgent = new Agent({ ...connections, pipelining: 0 });
  const http = createHttp<paths>({ baseUrl, pathSerializer: fillPath });

  return {
    address: baseUrl,
    credential: {},
    async call(operation, send) {
      const requestId = randomUUID();
      const startedAt = now();
      let status: number | undefined;
      const slot = createSlot(quotaKey);
      const fetch = async (request: Request, mayBegin?: MayBegin) => {
        const dispatcher = request.method === 'GET' ? readAgent : writeAgent;
        const limits = { maxCallMs, response: RESPONSE_LIMITS[operation], slot };
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
        .then((result) => classifyResponse(result, now()), classifyFailure)
        .finally(slot.release);
      onCall?.({
        operation,
        ...(status !== undefined && { status }),
        ms: now() - startedAt,
        outcome: ending.kind,
        requestId,
      });
      return { ...ending, requestId };
    },
    async close() {
      await Promise.all([readAgent.close(), writeAgent.close()]);
    },
  };
}

function classifyFailure(error: unknown): OutcomeDetails<never> {
  return error instanceof CallFailed ? error.ending : { kind: 'unknown', cause: 'connection-lost' };
}

/**
 * Statuses that mean that the request was refused and nothing was changed. 422 and 429 are handled separately. After
 * all other statuses, including 408, the outcome is unknown.
 */
const REFUSED_STATUSES: ReadonlySet<number> = new Set([400, 401, 402, 403, 404, 409, 413]);
/** Services answer in this way also if the record exists, perhaps because of an earlier request. */
const CONFLICT_STATUSES: ReadonlySet<number> = new Set([400, 402, 409]);

const envelope = z.object({ success: z.boolean(), data: z.unknown().optional() });

export interface ApiResponse {
  response: Response;
  /** The body of a 2xx response, as text. */
  data?: unknown;
  /** The body of any other response, parsed if it is JSON. */
  error?: unknown;
}

/** The reason of an uncertain failure, if the service gave one. */
function readReason(body: unknown): { problems?: readonly FieldProblem[] } {
  const problems = readProblems(body);
  return problems.length > 0 ? { problems } : {};
}

function classifySuccess(text: unknown, { status, headers }: Response): OutcomeDetails<unknown> {
  try {
    const readBody = parseJson(typeof text === 'string' ? text : '');
    const isTruncated = headers.has(TRUNCATED_HEADER);
    const hasData = isObject(readBody) && Object.hasOwn(readBody, 'data');
    // What followed a cut list is unknown, perhaps `success`. Without `data`, the list may be one of errors.
    const body = isTruncated && hasData ? { success: true, ...readBody } : readBody;
    const envelopeFields = envelope.safeParse(body).data;
    const paging = readPaging(body);
    if (envelopeFields?.success === true && (hasData || !isTruncated))
      return {
        kind: 'done',
        data: envelopeFields.data,
        ...(isTruncated && { isTruncated }),
        ...(Object.keys(paging).length > 0 && { paging }),
      };
    if (status === 200 && !isTruncated && isRefusalBody(body))
      return { kind: 'refused', status, problems: readProblems(body) };
    if (envelopeFields?.success !== false) return { kind: 'unknown', cause: 'unreadable-response', status };
    return { kind: 'unknown', cause: 'success-false', status, ...readReason(body) };
  } catch {
    return { kind: 'unknown', cause: 'unreadable-response', status };
  }
}

/** Classifies a response. `now` (ms since the epoch) is needed if Retry-After is a date. */
function classifyResponse(result: ApiResponse, now: number): OutcomeDetails<unknown> {
  const { status, ok, headers } = result.response;
  if (ok) return classifySuccess(result.data, result.response);
  if (status === 422) return { kind: 'invalid', problems: readProblems(result.error) };
  const mayExist =
    CONFLICT_STATUSES.has(status) && (headers.has(TRUNCATED_HEADER) || mayHaveRecord(result.error));
  if (REFUSED_STATUSES.has(status) && !mayExist)
    return { kind: 'refused', status, problems: readProblems(result.error) };
  const retryAfterMs = readRetryAfter(headers.get('retry-after'), now);
  const retryAfter = retryAfterMs === undefined ? {} : { retryAfterMs };
  const reason = mayExist ? readReason(result.error) : {};
  if (status !== 429)
    return { kind: 'unknown', cause: 'unexpected-status', status, ...retryAfter, ...reason };
  return { kind: 'not-applied', cause: 'rate-limited', ...retryAfter };
}

/**
 * Upper limit for the result. A service may ask for a day, and be ready again a minute later. One call every five minutes
 * finds that out, and costs the service little.
 */
const MAX_RETRY_AFTER_MS = 5 * MINUTE_MS;

/** Parses Retry-After: seconds or a date (RFC 9110 §10.2.3). Returns 0 to 5 minutes in ms; undefined if invalid. */
function readRetryAfter(value: string | null, now: number): number | undefined {
  const text = value?.trim() ?? '';
  const date = DateTime.fromHTTP(text);
  const ms = /^\d+$/.test(text) ? Number(text) * 1_000 : date.isValid ? date.toMillis() - now : undefined;
  return ms === undefined ? undefined : Math.min(Math.max(ms, 0), MAX_RETRY_AFTER_MS);
}

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
