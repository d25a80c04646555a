import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import { type Dispatcher, request as send } from 'undici';
import { type AnswerLimits, LARGE_READS, PROBLEM_LIMITS } from '../json/answer-limits.ts';
import { createJsonReader } from '../json/json-reader.ts';
import { JsonTooLarge, type KeptJson } from '../json/kept-json.ts';
import type { Turn } from '../json/large-reads.ts';
import type { UnknownCause } from '../outcome.ts';
import { CallFailed } from './call-failed.ts';

/**
 * Encodes an id as one path segment. A URL can't contain an empty id, half a surrogate pair, or `.` and `..`, which are
 * removed during URL resolution even if encoded. No record has such an id, so the call ends as a 404.
 */
function encodeSegment(id: unknown): string {
  const text = String(id ?? '');
  if (!text.isWellFormed() || ['', '.', '..'].includes(text))
    throw new CallFailed({ kind: 'refused', status: 404 });
  return encodeURIComponent(text);
}

/** Fills in the parameters of a path template from the contract. */
export function writePath(template: string, parameters: Readonly<Record<string, unknown>>): string {
  return template.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeSegment(parameters[name]));
}

/** Header that marks a truncated list in our own Response objects. Headers from the service aren't copied to them. */
export const TRUNCATED_HEADER = 'x-truncated';

/** Called when the connection is open, immediately before the request is written. If false, nothing is sent. */
export type MayBegin = () => boolean;

interface ExchangeLimits {
  /** Limit for the whole call, from the DNS lookup to the last byte of the response, in ms. */
  callMs: number;
  maxRequestBytes: number;
  answer: AnswerLimits;
  /** Begins when the response turns out to be large. The caller ends it. */
  turn: Turn;
}

/** Only successes and validation errors have a body that is needed. */
function hasBodyToRead(status: number): boolean {
  return status === 422 || (status >= 200 && status < 300 && status !== 204 && status !== 205);
}

async function readBody(
  answer: Dispatcher.ResponseData,
  limits: ExchangeLimits,
  signal: AbortSignal,
): Promise<KeptJson | undefined> {
  // undici emits an error when an unread body is destroyed.
  answer.body.on('error', () => {});
  if (!hasBodyToRead(answer.statusCode)) {
    answer.body.destroy();
    return undefined;
  }
  try {
    const read = answer.statusCode === 422 ? PROBLEM_LIMITS : limits.answer;
    const reader = createJsonReader(read);
    const encoding = String(answer.headers['content-encoding'] ?? '');
    let bytes = 0;
    await readBounded(answer.body, { encoding, limitBytes: read.bytes }, async (chunk) => {
      bytes += chunk.length;
      if (bytes > LARGE_READS.fromBytes) {
        await limits.turn.begin(signal);
        await limits.turn.pace();
      }
      reader.add(chunk);
    });
    return reader.end();
  } catch (error) {
    // A 422 is certain even if its problems are unreadable.
    if (answer.statusCode === 422) return undefined;
    const status = answer.statusCode;
    // Only reads have large responses, so nothing was changed.
    if (limits.turn.isWaiting && signal.aborted) throw new CallFailed({ kind: 'not-applied', cause: 'busy' });
    throw new CallFailed({ kind: 'unknown', cause: causeOf(error, signal), status }, error);
  }
}

function causeOf(error: unknown, signal: AbortSignal): UnknownCause {
  if (error instanceof BodyTooLarge) return 'answer-too-large';
  if (error instanceof JsonTooLarge) return error.limit === 'size' ? 'answer-too-large' : 'unreadable-answer';
  return signal.aborted ? 'timed-out' : 'connection-lost';
}

/**
 * Sends one request once and reads the response within the limits. Throws CallFailed, whose `ending` classifies the
 * failure. Uses undici's `request`, because `fetch` sends a request again after a 421 and follows redirects.
 */
export async function exchange(
  request: Request,
  dispatcher: Dispatcher,
  limits: ExchangeLimits,
  mayBegin?: MayBegin,
): Promise<Response> {
  const body = Buffer.from(await request.arrayBuffer());
  if (body.length > limits.maxRequestBytes) throw new CallFailed({ kind: 'not-applied', cause: 'too-large' });
  const began = performance.now();
  let connected: number | undefined;
  const onConnected = () => {
    connected = performance.now();
    return mayBegin?.() ?? true;
  };
  const limit = new AbortController();
  const timer = setTimeout(() => limit.abort(), limits.callMs);
  try {
    const answer = await send(request.url, {
      dispatcher: withGate(dispatcher, onConnected),
      method: request.method,
      headers: { ...Object.fromEntries(request.headers), 'accept-encoding': ACCEPT_ENCODING },
      body: body.length > 0 ? body : null,
      signal: limit.signal,
    });
    const retryAfter = answer.headers['retry-after'];
    const kept = await readBody(answer, limits, limit.signal);
    return new Response(kept ? new Uint8Array(kept.json) : null, {
      status: answer.statusCode,
      headers: {
        ...(typeof retryAfter === 'string' && { 'retry-after': retryAfter }),
        ...(kept?.isTruncated && { [TRUNCATED_HEADER]: 'yes' }),
      },
    });
  } catch (error) {
    // More than half of the time was spent waiting for a connection, so the service isn't to blame.
    const waitedMs = (connected ?? performance.now()) - began;
    if (limit.signal.aborted && request.method === 'GET' && waitedMs > limits.callMs / 2)
      throw new CallFailed({ kind: 'not-applied', cause: 'busy' }, error);
    if (error instanceof CallFailed) throw error;
    const cause = limit.signal.aborted ? 'timed-out' : 'connection-lost';
    throw new CallFailed({ kind: 'unknown', cause }, error);
  } finally {
    clearTimeout(timer);
  }
}

function withGate(dispatcher: Dispatcher, mayBegin: MayBegin): Dispatcher {
  return dispatcher.compose((dispatch) => (options, handler) => dispatch(options, gate(handler, mayBegin)));
}

/** undici calls `onRequestStart` when the socket is connected and nothing has been written to it yet. */
function gate(handler: Dispatcher.DispatchHandler, mayBegin: MayBegin): Dispatcher.DispatchHandler {
  return {
    onRequestStart(controller, context) {
      if (mayBegin()) handler.onRequestStart?.(controller, context);
      else controller.abort(new CallFailed({ kind: 'not-applied', cause: 'lease-too-short' }));
    },
    onResponseStart: (...given) => handler.onResponseStart?.(...given),
    onResponseData: (...given) => handler.onResponseData?.(...given),
    onResponseEnd: (...given) => handler.onResponseEnd?.(...given),
    onResponseError: (...given) => handler.onResponseError?.(...given),
  };
}

const DECODERS = new Map([
  ['gzip', () => createGunzip()],
  ['deflate', () => createInflate()],
  ['br', () => createBrotliDecompress()],
]);

/** The encodings that are decoded. A body in any other encoding is read as it is. */
const ACCEPT_ENCODING = [...DECODERS.keys()].join(', ');

/** A response exceeded its size limit, and reading stopped there. */
class BodyTooLarge extends Error {
  readonly limitBytes: number;

  constructor(limitBytes: number) {
    super(`response body exceeds ${limitBytes} bytes`);
    this.name = 'BodyTooLarge';
    this.limitBytes = limitBytes;
  }
}

/**
 * Decodes a body and passes each chunk to `take`, up to `limitBytes` in all, which also stops decompression bombs. The
 * next chunk is read when `take` has resolved. Throws BodyTooLarge, and errors of `take`.
 */
async function readBounded(
  body: Readable,
  { encoding, limitBytes }: { encoding: string; limitBytes: number },
  take: (chunk: Buffer) => Promise<void>,
): Promise<void> {
  const collect = async (source: AsyncIterable<Buffer>) => {
    let size = 0;
    for await (const chunk of source) {
      size += chunk.length;
      if (size > limitBytes) throw new BodyTooLarge(limitBytes);
      await take(chunk);
    }
  };
  const decoder = DECODERS.get(encoding.trim().toLowerCase())?.();
  await (decoder ? pipeline(body, decoder, collect) : pipeline(body, collect));
}
