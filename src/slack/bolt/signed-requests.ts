import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { readLocalTime } from '../../local-time.ts';
import { createArrivalCheck, type RecordSharedArrival, type StoredArrivals } from './arrivals.ts';
import { createBodyReader, isCertificateCheck, parseBody, parseMediaType } from './request-body.ts';
import { verifySignature } from './request-signature.ts';
import { createStoredResponses, MAX_COMMAND_RESPONSE_BYTES, type SlackResponse } from './stored-responses.ts';

const PATH = '/slack/events';

/** The kind of a slash command. See `ParsedBody`. */
const COMMAND = '';
/**
 * Kinds of requests that may run twice, because they change nothing or write rows that can exist only once. They run
 * even if another instance may have handled them, so that people get a response and a form keeps its content.
 */
const SAFE_TO_REPEAT = [
  COMMAND,
  'view_submission',
  'block_suggestion',
  'view_closed',
  'url_verification',
  'event_callback app_uninstalled',
  'event_callback tokens_revoked',
  'event_callback team_access_revoked',
];

const RESULTS = { first: 'taken', retry: 'retried', replay: 'replayed', unsure: 'unsure' } as const;

/** A request that Slack signed. */
export interface VerifiedRequest {
  body: Record<string, unknown>;
  /** When the request arrived, in ms of `performance.now()`. */
  arrivedAt: number;
}

export type Respond = (response: SlackResponse) => void;

interface SignedRequestsOptions {
  signingSecret: string;
  /** Handles a request. Only the first call of `respond` has an effect. */
  handle: (request: VerifiedRequest, respond: Respond) => void;
  /** Arrivals shared by all instances. Undefined if there is only one instance. */
  share?: RecordSharedArrival | undefined;
  /** Stored arrivals of a single instance. Used if there is no `share`. */
  storedArrivals?: StoredArrivals | undefined;
  onError?: (error: unknown) => void;
  /** Called for each request with the result of the check. */
  onResult?: ((result: 'taken' | 'refused' | 'retried' | 'replayed' | 'unsure') => void) | undefined;
  /** Clock in ms since the epoch. Slack's timestamps are compared with it. Defaults to the system clock. */
  clock?: () => number;
  /** Time limit for looking up an arrival. */
  maxLookupMs?: number;
}

/**
 * Creates a listener for `POST /slack/events`. It passes each request that Slack signed within the last five minutes to
 * `handle` once. Slack's retry of a request gets the stored response to the first request. There is
 * no stored response if another instance handled the first request, or if the response was too long. Then requests of a
 * kind in SAFE_TO_REPEAT run again, and other requests are acknowledged without running.
 */
export function createSignedRequestListener(options: SignedRequestsOptions): RequestListener {
  const {
    signingSecret,
    handle,
    share,
    storedArrivals,
    clock = readLocalTime,
    onResult = () => undefined,
  } = options;
  const checkArrival = createArrivalCheck({
    share,
    storedArrivals,
    clock,
    ...(options.maxLookupMs !== undefined && { maxLookupMs: options.maxLookupMs }),
    ...(options.onError && { onError: options.onError }),
  });
  const storedResponses = createStoredResponses(clock);
  const readBody = createBodyReader();
  const receive = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const arrivedAt = performance.now();
    const [path] = (request.url ?? '').split('?');
    if (path !== PATH) return sendResponse(response, { status: 404 });
    if (request.method !== 'POST') return sendResponse(response.setHeader('allow', 'POST'), { status: 405 });
    const type = parseMediaType(request);
    if (type === undefined) return sendResponse(response, { status: 415 });
    const rawBody = await readBody(request);
    if (rawBody === undefined) return sendResponse(response, { status: 413 });
    if (rawBody === 'busy') return sendResponse(response, { status: 503 }, { closesConnection: true });
    if (isCertificateCheck(type, rawBody))
      return sendResponse(response, { status: 200 }, { closesConnection: true });
    const signature = verifySignature(request.headers, rawBody, signingSecret, clock());
    if (signature === undefined) {
      onResult('refused');
      return sendResponse(response, { status: 401 });
    }
    keepConnection(response);
    const parsed = parseBody(type, rawBody);
    if (parsed === undefined) return sendResponse(response, { status: 400 });
    const { kind, body } = parsed;
    const earlierResponse = storedResponses.find(signature);
    const maxResponseBytes = kind === COMMAND ? MAX_COMMAND_RESPONSE_BYTES : undefined;
    const storeResponse = earlierResponse ? undefined : storedResponses.reserve(signature, maxResponseBytes);
    const respond: Respond = (result) => {
      if (response.headersSent) return;
      sendResponse(response, result);
      storeResponse?.(result);
    };
    try {
      const arrival = await checkArrival(signature);
      onResult(RESULTS[arrival]);
      if (arrival === 'replay') return respond({ status: 401 });
      const storedResponse = arrival === 'retry' ? await earlierResponse : undefined;
      if (storedResponse) return respond(storedResponse);
      const isSafe = SAFE_TO_REPEAT.includes(kind);
      // This or another instance handles the first request, so the retry only needs an acknowledgement.
      if (arrival === 'retry' && !isSafe) return respond({ status: 200 });
      // After this status, Slack shows an error to the actor, and sends events again.
      if (arrival === 'unsure' && !isSafe) return respond({ status: 503 });
      handle({ body, arrivedAt }, respond);
    } catch (error) {
      storeResponse?.(undefined);
      throw error;
    }
  };
  return (request, response) => void receive(request, response).catch(() => response.destroy());
}

/**
 * How long the connection of a signed request stays open. Longer than a load balancer keeps it (60 s by default at AWS),
 * or else the load balancer might send a request just when this server closes the connection:
 * https://docs.aws.amazon.com/elasticloadbalancing/latest/application/edit-load-balancer-attributes.html
 */
const KEEP_ALIVE_SECONDS = 75;

/** Keeps the connection open after the response. Node has set the time limit of the server before `finish`. */
function keepConnection(response: ServerResponse): void {
  const { socket } = response;
  response.setHeader('keep-alive', `timeout=${KEEP_ALIVE_SECONDS}`);
  response.once('finish', () => socket?.setTimeout(KEEP_ALIVE_SECONDS * 1000));
}

/**
 * Statuses after which the connection is closed. Before most of them, the body wasn't read. After 401, because only
 * Slack may keep connections.
 */
const CLOSING_STATUSES = [401, 404, 405, 413, 415];

function sendResponse(
  response: ServerResponse,
  { status, body = '', isJson = false }: SlackResponse,
  { closesConnection = CLOSING_STATUSES.includes(status) } = {},
): void {
  // With its length in the head, head and body are written at once.
  response.writeHead(status, {
    ...(isJson && { 'content-type': 'application/json' }),
    'content-length': Buffer.byteLength(body),
    ...(closesConnection && { connection: 'close' }),
  });
  response.end(body);
}
