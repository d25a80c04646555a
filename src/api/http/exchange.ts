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
 * An id as one segment of a path. No address can carry an empty id, or `.` and `..`, which an address resolves away
 * (encoded ones too), or half a surrogate pair: such an id names nothing, which is what 404 says.
 */
function segment(id: unknown): string {
  const text = String(id ?? '');
  if (!text.isWellFormed() || ['', '.', '..'].includes(text))
    throw new CallFailed({ kind: 'refused', status: 404 });
  return encodeURIComponent(text);
}

/** A path of the document with its parameters filled in. */
export function writePath(template: string, parameters: Readonly<Record<string, unknown>>): string {
  return template.replaceAll(/\{(\w+)\}/g, (_, name: string) => segment(parameters[name]));
}

/** On a response of ours: its list is not the whole one. A service's own headers don't get there. */
export const TRUNCATED = 'x-truncated';

/** Asked once the connection is there, immediately before the request is written to it; false: it isn't sent. */
export type MayBegin = () => boolean;

interface ExchangeLimits {
  /** The whole call, from the look-up of the name to the last byte of the answer, in ms. */
  callMs: number;
  maxRequestBytes: number;
  answer: AnswerLimits;
  /** Begins where the answer is large; the caller ends it. */
  turn: Turn;
}

/** The answers whose body says something: a success, and the problems of a request. */
function hasBodyToRead(status: number): boolean {
  return status === 422 || (status >= 200 && status < 300 && status !== 204 && status !== 205);
}

async function bodyOf(
  answer: Dispatcher.ResponseData,
  limits: ExchangeLimits,
  signal: AbortSignal,
): Promise<KeptJson | undefined> {
  // Destroying a body that nobody reads is an error event to undici.
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
      if (bytes > LARGE_READS.fromBytes) await limits.turn.begin(signal);
      reader.add(chunk);
    });
    return reader.end();
  } catch (error) {
    // A 422 is certain, whether its problems can be read or not.
    if (answer.statusCode === 422) return undefined;
    const status = answer.statusCode;
    // Only reads have large answers, so nothing was changed.
    if (limits.turn.isWaiting && signal.aborted) throw new CallFailed({ kind: 'not-applied', cause: 'busy' });
    throw new CallFailed({ kind: 'unknown', cause: causeOf(error, signal), status }, error);
  }
}

function causeOf(error: unknown, signal: AbortSignal): UnknownCause {
  if (error instanceof BodyTooLarge) return 'answer-too-large';
  if (error instanceof JsonTooLarge) return error.why === 'size' ? 'answer-too-large' : 'unreadable-answer';
  return signal.aborted ? 'timed-out' : 'connection-lost';
}

/**
 * Sends one request once and reads its answer within the limits; throws CallFailed, whose ending says what is known.
 * undici's `request` and not its `fetch`: fetch sends a request a second time when it is answered with 421, and
 * follows redirects; `request` does neither.
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
      dispatcher: gated(dispatcher, onConnected),
      method: request.method,
      headers: { ...Object.fromEntries(request.headers), 'accept-encoding': ACCEPT_ENCODING },
      body: body.length > 0 ? body : null,
      signal: limit.signal,
    });
    const retryAfter = answer.headers['retry-after'];
    const kept = await bodyOf(answer, limits, limit.signal);
    return new Response(kept ? new Uint8Array(kept.json) : null, {
      status: answer.statusCode,
      headers: {
        ...(typeof retryAfter === 'string' && { 'retry-after': retryAfter }),
        ...(kept?.isTruncated && { [TRUNCATED]: 'yes' }),
      },
    });
  } catch (error) {
    // Most of its time went on waiting for the client's other reads, and the service had the rest to answer.
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

function gated(dispatcher: Dispatcher, mayBegin: MayBegin): Dispatcher {
  return dispatcher.compose((dispatch) => (options, handler) => dispatch(options, gate(handler, mayBegin)));
}

/** undici tells a handler that its request starts when the socket is connected and nothing is written to it yet. */
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

/** The encodings that an answer may come in; a body in any other is left as it is. */
const ACCEPT_ENCODING = [...DECODERS.keys()].join(', ');

/** An answer went over its limit; reading stopped there. */
class BodyTooLarge extends Error {
  readonly limitBytes: number;

  constructor(limitBytes: number) {
    super(`The answer is over ${limitBytes} bytes`);
    this.name = 'BodyTooLarge';
    this.limitBytes = limitBytes;
  }
}

/**
 * Reads a body, decoded, up to `limitBytes`, and gives `take` each chunk; a bomb is never inflated further than that.
 * The next is read when `take` is done with it. Throws BodyTooLarge, and what `take` throws.
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
