import { createHmac, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders, IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { parse } from 'node:querystring';
import { isObject } from '../../api/records.ts';
import { getClient } from '../../clients.ts';
import { readLocalTime } from '../../durations.ts';
import { createPlaces } from '../../places.ts';

/** `wrong-time`: Slack's signature is right, but its time and ours differ too much. `refused`: the signature is wrong. */
export const REQUEST_RESULTS = ['taken', 'refused', 'wrong-time'] as const;
type RequestResult = (typeof REQUEST_RESULTS)[number];

/** The response to a request from Slack. Without `body`, it is empty. */
export interface SlackResponse {
  status: number;
  body?: string;
  /** Whether the body is JSON. Defaults to a text. */
  isJson?: boolean;
}

export interface VerifiedRequest {
  body: Record<string, unknown>;
  /** When the request arrived, in ms of `performance.now()`. */
  arrivedAt: number;
  /** When Slack sent the request, ms since the epoch on its clock, in whole seconds. */
  sentAt: number;
}

export type Respond = (response: SlackResponse) => void;

/**
 * Creates a listener for `POST /slack/events`. It passes each request that Slack signed within the last five minutes to
 * `handle`. A request may come twice, because Slack or a proxy repeats it. As in Socket Mode, the handlers make sure
 * that the second one changes nothing.
 */
export function createSignedRequestListener(options: {
  signingSecret: string;
  /** Handles a request. Only the first call of `respond` has an effect. */
  handle: (request: VerifiedRequest, respond: Respond) => void;
  /** Called for each request with the result of the check. */
  onResult?: ((result: RequestResult) => void) | undefined;
  /** Called for a request with Slack's signature and a time that is too far from ours. */
  onWrongTime?: (aheadSeconds: number) => void;
  /** Clock in ms since the epoch. Slack's timestamps are compared with it. Defaults to the system clock. */
  clock?: () => number;
}): RequestListener {
  const { signingSecret, handle, clock = readLocalTime } = options;
  const { onResult = () => undefined, onWrongTime = () => undefined } = options;
  const readBody = createBodyReader();
  const joinTurn = createTurns();
  const receive = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const arrivedAt = performance.now();
    const [path] = (request.url ?? '').split('?');
    if (path !== '/slack/events') return sendResponse(response, { status: 404 });
    if (request.method !== 'POST') return sendResponse(response.setHeader('allow', 'POST'), { status: 405 });
    const type = parseMediaType(request);
    if (type === undefined) return sendResponse(response, { status: 415 });
    const rawBody = await readBody(request);
    if (rawBody === undefined) return sendResponse(response, { status: 413 });
    if (rawBody === 'busy') return sendResponse(response, { status: 503 }, { closesConnection: true });
    if (isCertificateCheck(type, rawBody))
      return sendResponse(response, { status: 200 }, { closesConnection: true });
    const now = clock();
    if (!isSigned(request.headers, rawBody, signingSecret)) {
      onResult('refused');
      return sendResponse(response, { status: 401 });
    }
    const aheadSeconds = now / 1000 - Number(request.headers['x-slack-request-timestamp']);
    if (Math.abs(aheadSeconds) > MAX_CLOCK_SKEW_SECONDS) {
      onResult('wrong-time');
      onWrongTime(Math.round(aheadSeconds));
      return sendResponse(response, { status: 401 });
    }
    keepConnection(request, response);
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
 * How long the connection of a signed request stays open. Longer than a load balancer keeps it (60 s by default at
 * AWS), or else the load balancer might send a request just when this server closes the connection:
 * https://docs.aws.amazon.com/elasticloadbalancing/latest/application/edit-load-balancer-attributes.html
 */
const KEEP_ALIVE_SECONDS = 75;

/**
 * Keeps the connection of a verified client open after the response. Node has set the time limit of the server before
 * `finish`.
 */
function keepConnection(request: IncomingMessage, response: ServerResponse): void {
  const { socket } = response;
  getClient(request).verify();
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

/**
 * Maximum difference between the timestamp of a request and our clock, as Slack recommends:
 * https://docs.slack.dev/authentication/verifying-requests-from-slack/
 */
export const MAX_CLOCK_SKEW_SECONDS = 300;

/**
 * Whether Slack signed the request at the time that it names. This check is stricter than Bolt's, which accepts timestamps
 * from the future, timestamps in other notations, and a suffix after the signature.
 */
function isSigned(headers: IncomingHttpHeaders, body: Buffer, secret: string): boolean {
  const timestamp = headers['x-slack-request-timestamp'];
  const signature = headers['x-slack-signature'];
  if (typeof timestamp !== 'string' || !/^\d{10}$/.test(timestamp)) return false;
  if (typeof signature !== 'string' || !/^v0=[0-9a-f]{64}$/.test(signature)) return false;
  const digest = createHmac('sha256', secret).update(`v0:${timestamp}:`).update(body).digest('hex');
  return timingSafeEqual(Buffer.from(signature), Buffer.from(`v0=${digest}`));
}

/**
 * Creates a function that waits until the event loop has read the requests of its turn. They then run side by side:
 * each step runs for all of them before the next step, and their statements share batches. An instance acknowledged 1.4
 * times as many commands per second as with one request after the other.
 */
export function createTurns(): () => Promise<void> {
  let turn: Promise<void> | undefined;
  return () => {
    turn ??= new Promise((resolve) => {
      setImmediate(() => {
        turn = undefined;
        resolve();
      });
    });
    return turn;
  };
}

/** Slack's largest payload is a view of 250 KB, which grows when it is encoded as a form. */
const MAX_BODY_BYTES = 1024 * 1024;

const FORM_TYPE = 'application/x-www-form-urlencoded';
/** Slack sends events as JSON and everything else as a form. */
const MEDIA_TYPES = [FORM_TYPE, 'application/json'];

/** Parses the media type without parameters: `charset=utf-8` has no effect. Undefined if Slack doesn't send it. */
function parseMediaType({ headers }: IncomingMessage): string | undefined {
  // Slack doesn't compress its requests.
  if (headers['content-encoding'] !== undefined) return undefined;
  const [, type = ''] = /^([^;]+)(?:;\s*charset="?utf-8"?\s*)?$/i.exec(headers['content-type'] ?? '') ?? [];
  const mediaType = type.trim().toLowerCase();
  return MEDIA_TYPES.includes(mediaType) ? mediaType : undefined;
}

/** Maximum size of all incoming bodies together. The sender of an incomplete body can't be verified yet. */
const MAX_INCOMING_BYTES = 32 * 1024 * 1024;

/**
 * What a body may take on the wire beyond twice its size, because chunks may have extensions of any length. Twice as much
 * as the system reads from a socket at once.
 */
const MAX_OVERHEAD_BYTES = 128 * 1024;

/**
 * Creates a function that reads the body of a request. It returns undefined if the body is too large or the sender
 * disconnects. If all incoming bodies together would exceed `maxBytes`, the oldest of the address with the most bytes
 * is given up: the function returns `busy` for it.
 */
export function createBodyReader(maxBytes = MAX_INCOMING_BYTES) {
  const places = createPlaces(maxBytes);
  return async (request: IncomingMessage): Promise<Buffer | 'busy' | undefined> => {
    const { 'content-length': length } = request.headers;
    const maxLength = Number(length ?? MAX_BODY_BYTES);
    if (maxLength > MAX_BODY_BYTES) return undefined;
    return new Promise((resolve) => {
      let body: Buffer = Buffer.alloc(0);
      let size = 0;
      const { socket } = request;
      const maxOverhead = socket.bytesRead + MAX_OVERHEAD_BYTES;
      const place = places.enter(
        { keys: [getClient(request).address], evict: () => finish('busy') },
        body.length,
      );
      const finish = (result: Buffer | 'busy' | undefined) => {
        place.leave();
        body = Buffer.alloc(0);
        request.off('data', onData);
        request.pause();
        resolve(result);
      };
      const onData = (chunk: Buffer) => {
        if (size + chunk.length > maxLength || socket.bytesRead > maxOverhead + 2 * size)
          return finish(undefined);
        const earlierLength = body.length;
        if (size === 0) body = chunk;
        else if (size + chunk.length > body.length) {
          // The room for a whole body is counted as soon as it is needed, so that few bytes are read in vain.
          const growingLength = Math.min(maxLength, 2 * (size + chunk.length));
          const longerBody = Buffer.allocUnsafe(length === undefined ? growingLength : maxLength);
          body.copy(longerBody, 0, 0, size);
          body = longerBody;
        }
        if (size > 0) chunk.copy(body, size);
        size += chunk.length;
        place.grow(body.length - earlierLength);
      };
      request.on('data', onData);
      request.once('end', () => finish(body.subarray(0, size)));
      // These events have no effect after `end`, because the promise is resolved by then.
      request.once('error', () => finish(undefined));
      request.once('close', () => finish(undefined));
    });
  };
}

/** True if Slack checks our certificate: a form with `ssl_check=1&token=…`, without a signature or other fields. */
function isCertificateCheck(type: string, body: Buffer): boolean {
  if (type !== FORM_TYPE || body.length > 300 || !body.includes('ssl_check')) return false;
  const fields = new URLSearchParams(body.toString());
  const names = [...fields.keys()];
  return fields.get('ssl_check') === '1' && names.every((name) => name === 'ssl_check' || name === 'token');
}

/** Parses the body of a request. Undefined if it is unreadable. */
function parseBody(type: string, rawBody: Buffer): Record<string, unknown> | undefined {
  const text = rawBody.toString();
  const fields = type === FORM_TYPE ? parse(text) : undefined;
  // A form contains either the fields of a command or a payload.
  const payload = fields ? fields.payload : text;
  if (fields && payload === undefined) return fields;
  if (typeof payload !== 'string') return undefined;
  try {
    const body: unknown = JSON.parse(payload);
    return isObject(body) ? body : undefined;
  } catch {
    return undefined;
  }
}
