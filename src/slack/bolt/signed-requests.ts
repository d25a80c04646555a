import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { readLocalTime } from '../../local-time.ts';
import { createBodyReader, isCertificateCheck, parseBody, parseMediaType } from './request-body.ts';
import { isSigned } from './request-signature.ts';
import { createTurns } from './turns.ts';

const PATH = '/slack/events';

/** The response to a request from Slack. Without `body`, it is empty. */
export interface SlackResponse {
  status: number;
  body?: string;
  /** Whether the body is JSON. Defaults to a text. */
  isJson?: boolean;
}

/** A request that Slack signed. */
export interface VerifiedRequest {
  body: Record<string, unknown>;
  /** When the request arrived, in ms of `performance.now()`. */
  arrivedAt: number;
  /** When Slack sent the request, ms since the epoch on its clock, in whole seconds. */
  sentAt: number;
}

export type Respond = (response: SlackResponse) => void;

interface SignedRequestsOptions {
  signingSecret: string;
  /** Handles a request. Only the first call of `respond` has an effect. */
  handle: (request: VerifiedRequest, respond: Respond) => void;
  /** Called for each request with the result of the check. */
  onResult?: ((result: 'taken' | 'refused') => void) | undefined;
  /** Clock in ms since the epoch. Slack's timestamps are compared with it. Defaults to the system clock. */
  clock?: () => number;
}

/**
 * Creates a listener for `POST /slack/events`. It passes each request that Slack signed within the last five minutes to
 * `handle`. A request may come twice, because Slack or a proxy repeats it. As in Socket Mode, the handlers make sure that
 * the second one changes nothing.
 */
export function createSignedRequestListener(options: SignedRequestsOptions): RequestListener {
  const { signingSecret, handle, clock = readLocalTime, onResult = () => undefined } = options;
  const readBody = createBodyReader();
  const joinTurn = createTurns();
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
    if (!isSigned(request.headers, rawBody, signingSecret, clock())) {
      onResult('refused');
      return sendResponse(response, { status: 401 });
    }
    keepConnection(response);
    const body = parseBody(type, rawBody);
    if (body === undefined) return sendResponse(response, { status: 400 });
    onResult('taken');
    await joinTurn();
    const sentAt = Number(request.headers['x-slack-request-timestamp']) * 1000;
    handle({ body, arrivedAt, sentAt }, (result) => {
      if (!response.headersSent) sendResponse(response, result);
    });
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
