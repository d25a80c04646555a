import type { OutgoingHttpHeaders, ServerResponse } from 'node:http';
import { RETRY_MS } from './arrivals.ts';

/** What a request was answered with. */
interface Answer {
  /** Headers that were set before `writeHead`, and what that was called with. */
  headers: OutgoingHttpHeaders;
  head: readonly unknown[];
  body: readonly (string | Uint8Array)[];
}

interface Kept {
  /** When the request came, ms since the epoch. */
  at: number;
  /** 0 until it is answered. */
  bytes: number;
  /** Undefined until it is answered, and where it never is. */
  answer: Answer | undefined;
  /** Retries that came before the answer. */
  waiting: ((answer: Answer | undefined) => void)[];
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
    for (const give of mine.waiting.splice(0)) give(answer);
    if (kept.get(signature) !== mine || mine.bytes > 0) return;
    mine.answer = answer;
    mine.bytes = OVERHEAD_BYTES;
    for (const chunk of answer?.body ?? []) mine.bytes += chunk.length;
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
      const found = kept.get(signature);
      if (!found || found.bytes > 0) return found && Promise.resolve(found.answer);
      return new Promise((give) => found.waiting.push(give));
    },
    /** From now on `response` is what this signature is answered with. Call the result if it will never be. */
    keep(signature: string, response: ServerResponse): () => void {
      const mine: Kept = { at: clock(), bytes: 0, answer: undefined, waiting: [] };
      kept.set(signature, mine);
      capture(response, (answer) => ended(signature, mine, answer));
      return () => ended(signature, mine, undefined);
    },
  };
}

/** Gives an answer that was kept. */
export function giveAnswer(response: ServerResponse, { headers, head, body }: Answer): void {
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined) response.setHeader(name, value);
  }
  Reflect.apply(response.writeHead, response, head);
  for (const chunk of body.slice(0, -1)) response.write(chunk);
  response.end(body.at(-1));
}

/** Every answer goes through here, so it copies only what its owner could change. */
function capture(response: ServerResponse, onEnd: (answer: Answer) => void): void {
  const { writeHead, write, end } = response;
  const body: (string | Uint8Array)[] = [];
  let headers: OutgoingHttpHeaders = {};
  let head: readonly unknown[] = [];
  const add = (chunk: unknown) => {
    if (typeof chunk === 'string') body.push(chunk);
    else if (chunk instanceof Uint8Array) body.push(Uint8Array.from(chunk));
  };
  // Node calls it too where nobody has.
  response.writeHead = (...given: unknown[]) => {
    headers = response.getHeaders();
    head = given;
    return Reflect.apply(writeHead, response, given);
  };
  response.write = (...given: unknown[]) => {
    add(given[0]);
    return Reflect.apply(write, response, given);
  };
  response.end = (...given: unknown[]) => {
    add(given[0]);
    Reflect.apply(end, response, given);
    onEnd({ headers, head, body });
    return response;
  };
}
