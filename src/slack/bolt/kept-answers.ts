import type { OutgoingHttpHeaders, ServerResponse } from 'node:http';
import { RETRY_MS } from './arrivals.ts';

/** What a request was answered with. */
interface Answer {
  status: number;
  headers: OutgoingHttpHeaders;
  body: Buffer;
}

interface Kept {
  /** When the request came, ms since the epoch. */
  at: number;
  /** 0 until it is answered. */
  bytes: number;
  /** Undefined where it was never answered. */
  answer: Promise<Answer | undefined>;
  end(answer: Answer | undefined): void;
}

/** Over all kept answers; beyond, the oldest go. */
const MAX_BYTES = 8 * 2 ** 20;
/** An answer's headers and what surrounds it in memory. */
const OVERHEAD_BYTES = 1_024;

/** The answers of the last seconds, by signature, for retries of the same requests. */
export function keptAnswers(clock: () => number, maxBytes = MAX_BYTES) {
  const kept = new Map<string, Kept>();
  let bytes = 0;
  const forget = (signature: string, { bytes: its }: Kept) => {
    kept.delete(signature);
    bytes -= its;
  };
  const forgetOld = (now: number) => {
    // In the order in which they came.
    for (const [signature, one] of kept) {
      if (now - one.at <= RETRY_MS) break;
      forget(signature, one);
    }
  };
  const ended = (signature: string, mine: Kept, answer: Answer | undefined) => {
    mine.end(answer);
    if (kept.get(signature) !== mine || mine.bytes > 0) return;
    mine.bytes = OVERHEAD_BYTES + (answer?.body.length ?? 0);
    bytes += mine.bytes;
    for (const [oldest, one] of kept) {
      if (bytes <= maxBytes) break;
      // One that is under way takes nothing yet, and somebody may wait for it.
      if (one.bytes > 0) forget(oldest, one);
    }
  };
  return {
    /** Undefined where there is none, or none any more. */
    of(signature: string): Promise<Answer | undefined> | undefined {
      forgetOld(clock());
      return kept.get(signature)?.answer;
    },
    /** From now on `response` is what this signature is answered with. Call the result if it will never be. */
    keep(signature: string, response: ServerResponse): () => void {
      const { promise: answer, resolve: end } = Promise.withResolvers<Answer | undefined>();
      const mine: Kept = { at: clock(), bytes: 0, answer, end };
      kept.set(signature, mine);
      capture(response, (given) => ended(signature, mine, given));
      return () => ended(signature, mine, undefined);
    },
  };
}

/** Gives an answer that was kept. */
export function giveAnswer(response: ServerResponse, { status, headers, body }: Answer): void {
  response.writeHead(status, headers);
  response.end(body);
}

function capture(response: ServerResponse, onEnd: (answer: Answer) => void): void {
  const { write, end } = response;
  const chunks: Buffer[] = [];
  const add = ([chunk]: readonly unknown[]) => {
    if (typeof chunk === 'string') chunks.push(Buffer.from(chunk));
    else if (chunk instanceof Uint8Array) chunks.push(Buffer.from(chunk));
  };
  // Node stores the headers of `writeHead` only where one was set before.
  response.setHeader('cache-control', 'no-store');
  response.write = (...given: unknown[]) => {
    add(given);
    return Reflect.apply(write, response, given);
  };
  response.end = (...given: unknown[]) => {
    add(given);
    Reflect.apply(end, response, given);
    onEnd({ status: response.statusCode, headers: response.getHeaders(), body: Buffer.concat(chunks) });
    return response;
  };
}
