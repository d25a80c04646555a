import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import { type Dispatcher, request as send } from 'undici';
import type { Slot } from '../../slots.ts';
import { TextResponse } from '../../text-response.ts';
import { type BoundedJson, boundJson, type JsonLimits } from '../json/bounded-json.ts';
import { LARGE_READS, PROBLEM_LIMITS, WIRE_LIMITS } from '../json/response-limits.ts';
import type { UnknownCause } from '../outcome.ts';
import { CallFailed, ResponseTooLarge } from './connector.ts';

/**
 * Encodes an id as one path segment. Throws for an empty id, half a surrogate pair, `.` and `..`: URL resolution
 * removes the latter two even if they are encoded. No record has such an id, so the call ends as a 404.
 */
export function encodeSegment(id: unknown): string {
  const text = String(id ?? '');
  if (!text.isWellFormed() || ['', '.', '..'].includes(text))
    throw new CallFailed({ kind: 'refused', status: 404 });
  return encodeURIComponent(text);
}

/** Fills in the parameters of a path template from the contract. */
export function fillPath(template: string, parameters: Readonly<Record<string, unknown>>): string {
  return template.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeSegment(parameters[name]));
}

/** Header that marks a truncated list in our own Response objects. A header of the service can't set this mark. */
export const TRUNCATED_HEADER = 'x-truncated';

/** Called immediately before the request is written to the open connection. If it returns false, nothing is sent. */
export type MayBegin = () => boolean;

/** A request with a larger body isn't sent: 1 MiB. */
const MAX_REQUEST_BYTES = 2 ** 20;

interface ExchangeLimits {
  /** Limit for the whole call, from the DNS lookup to the last byte of the response. */
  maxCallMs: number;
  response: JsonLimits;
  /** A slot in the quota for large responses. Acquired if the response proves to be large. The caller releases it. */
  slot: Slot;
}

/** Refusals for which services give a reason. The status of the others says enough, and their body may be a proxy's. */
const STATUSES_WITH_REASON: ReadonlySet<number> = new Set([400, 402, 409, 422]);
/** The refusal that is certain even if its body is unreadable. Others may say that the record exists. */
const CERTAIN_STATUS = 422;

/** True if the response is a success with a body, or a refusal with a reason. */
function hasReadableBody(status: number): boolean {
  return (
    STATUSES_WITH_REASON.has(status) || (status >= 200 && status < 300 && status !== 204 && status !== 205)
  );
}

async function readBody(
  response: Dispatcher.ResponseData,
  limits: ExchangeLimits,
  signal: AbortSignal,
): Promise<BoundedJson | undefined> {
  // undici emits an error when an unread body is destroyed.
  response.body.on('error', () => {});
  if (!hasReadableBody(response.statusCode)) {
    response.body.destroy();
    return undefined;
  }
  try {
    const bodyLimits = STATUSES_WITH_REASON.has(response.statusCode) ? PROBLEM_LIMITS : limits.response;
    const encoding = String(response.headers['content-encoding'] ?? '');
    const chunks: Buffer[] = [];
    let bytes = 0;
    const reading = readChunks(response.body, encoding, async (chunk) => {
      bytes += chunk.length;
      if (bytes > bodyLimits.maxBytes) throw new ResponseTooLarge('response body');
      if (bytes > LARGE_READS.minBytes) await limits.slot.acquire(signal);
      chunks.push(chunk);
    });
    const isWhole = await reading.then(() => true, isCutOff);
    const body = boundJson(Buffer.concat(chunks), isWhole, bodyLimits);
    if (!body) throw new ResponseTooLarge('JSON');
    return body;
  } catch (error) {
    if (response.statusCode === CERTAIN_STATUS) return undefined;
    const status = response.statusCode;
    // Only calls that read data wait for a slot, so nothing was changed.
    if (limits.slot.isWaiting && signal.aborted) throw new CallFailed({ kind: 'not-applied', cause: 'busy' });
    throw new CallFailed({ kind: 'unknown', cause: classifyReadError(error, signal), status }, error);
  }
}

/** Returns false if the rest of a body wasn't read because of its size. Throws any other error. */
function isCutOff(error: unknown): false {
  if (error instanceof ResponseTooLarge) return false;
  throw error;
}

function classifyReadError(error: unknown, signal: AbortSignal): UnknownCause {
  if (error instanceof ResponseTooLarge) return 'response-too-large';
  return signal.aborted ? 'timed-out' : 'connection-lost';
}

/**
 * Sends a request once and reads the response within the limits. Throws CallFailed. Uses undici's `request`, because
 * `fetch` sends a request again after a 421 and follows redirects.
 */
export async function exchange(
  request: Request,
  dispatcher: Dispatcher,
  limits: ExchangeLimits,
  mayBegin?: MayBegin,
): Promise<Response> {
  const requestBody = Buffer.from(await request.arrayBuffer());
  if (requestBody.length > MAX_REQUEST_BYTES)
    throw new CallFailed({ kind: 'not-applied', cause: 'too-large' });
  const startedAt = performance.now();
  let connectedAt: number | undefined;
  const onConnected = () => {
    connectedAt = performance.now();
    return mayBegin?.() ?? true;
  };
  const controller = new AbortController();
  const timer = setTimeout(() => controller.abort(), limits.maxCallMs);
  try {
    const response = await send(request.url, {
      dispatcher: dispatcher.compose(
        (dispatch) => (options, handler) => dispatch(options, boundResponse(handler, onConnected)),
      ),
      method: request.method,
      headers: { ...Object.fromEntries(request.headers), 'accept-encoding': ACCEPT_ENCODING },
      body: requestBody.length > 0 ? requestBody : null,
      signal: controller.signal,
    });
    const retryAfter = response.headers['retry-after'];
    const body = await readBody(response, limits, controller.signal);
    return new TextResponse(body ? new TextDecoder().decode(body.json) : '', {
      status: response.statusCode,
      headers: {
        ...(typeof retryAfter === 'string' && { 'retry-after': retryAfter }),
        ...(body?.isTruncated && { [TRUNCATED_HEADER]: 'yes' }),
      },
    });
  } catch (error) {
    // If most of the time was spent waiting for a connection, the service isn't the cause of the timeout.
    const waitedMs = (connectedAt ?? performance.now()) - startedAt;
    if (controller.signal.aborted && request.method === 'GET' && waitedMs > limits.maxCallMs / 2)
      throw new CallFailed({ kind: 'not-applied', cause: 'busy' }, error);
    if (error instanceof CallFailed) throw error;
    throw new CallFailed({ kind: 'unknown', cause: classifyReadError(error, controller.signal) }, error);
  } finally {
    clearTimeout(timer);
  }
}

/**
 * Asks `mayBegin` when the socket is connected and nothing has been written to it yet: then undici calls
 * `onRequestStart`. Limits the number of interim responses and of the pieces in which a body arrives. A piece costs the
 * same time however short it is.
 */
function boundResponse(handler: Dispatcher.DispatchHandler, mayBegin: MayBegin): Dispatcher.DispatchHandler {
  let interimCount = 0;
  let pieceCount = 0;
  return {
    onRequestStart(controller, context) {
      if (mayBegin()) handler.onRequestStart?.(controller, context);
      else controller.abort(new CallFailed({ kind: 'not-applied', cause: 'lease-too-short' }));
    },
    onResponseStart(controller, status, ...rest) {
      if (status < 200) interimCount += 1;
      if (interimCount > WIRE_LIMITS.maxInterimResponses)
        controller.abort(new ResponseTooLarge('too many interim responses'));
      else handler.onResponseStart?.(controller, status, ...rest);
    },
    onResponseData(controller, piece) {
      pieceCount += 1;
      if (pieceCount > WIRE_LIMITS.maxPieces)
        controller.abort(new ResponseTooLarge('response body has too many pieces'));
      else handler.onResponseData?.(controller, piece);
    },
    onResponseEnd: (...args) => handler.onResponseEnd?.(...args),
    onResponseError: (...args) => handler.onResponseError?.(...args),
  };
}

const DECODERS = new Map([
  ['gzip', () => createGunzip()],
  ['deflate', () => createInflate()],
  ['br', () => createBrotliDecompress()],
]);

/** The supported encodings. A body in any other encoding is read without decoding. */
const ACCEPT_ENCODING = [...DECODERS.keys()].join(', ');

/** Decodes a body and passes each chunk to `onChunk`. Reads the next chunk when `onChunk` has resolved. */
async function readChunks(
  body: Readable,
  encoding: string,
  onChunk: (chunk: Buffer) => Promise<void>,
): Promise<void> {
  const read = async (source: AsyncIterable<Buffer>) => {
    for await (const chunk of source) await onChunk(chunk);
  };
  const decoder = DECODERS.get(encoding.trim().toLowerCase())?.();
  // `for await` itself destroys a body that it doesn't read to its end.
  await (decoder ? pipeline(body, decoder, read) : read(body));
}
