import type { ServerResponse } from 'node:http';
import { RETRY_MS } from './arrivals.ts';

/** What a request was answered with: what `writeHead` and `end` were called with. */
interface Answer {
  head: readonly unknown[];
  body: string | Uint8Array | undefined;
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

/** Over all kept answers; beyond, the oldest go. At 300 requests a second these are the answers of a second or more. */
const MAX_BYTES = 2 ** 20;
/**
 * A longer answer is a list or a help text: giving it again is as good as keeping it. Kept, they would outlive the young
 * generation of the heap, and cost `/upnext help` a twelfth of its CPU time.
 */
const MAX_ANSWER_BYTES = 2 ** 11;
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
    if (answer?.body && answer.body.length > MAX_ANSWER_BYTES) return forget(signature, mine);
    mine.answer = answer;
    mine.bytes = OVERHEAD_BYTES + (answer?.body?.length ?? 0);
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
export function giveAnswer(response: ServerResponse, { head, body }: Answer): void {
  Reflect.apply(response.writeHead, response, head);
  response.end(body);
}

/** Bolt answers with `writeHead` and `end` alone, and we do. Every answer goes through here: no more work than that. */
function capture(response: ServerResponse, onEnd: (answer: Answer) => void): void {
  const { writeHead, end } = response;
  let head: readonly unknown[] = [];
  // Node calls it too where nobody has.
  response.writeHead = (...given: unknown[]) => {
    head = given;
    return Reflect.apply(writeHead, response, given);
  };
  response.end = (...given: unknown[]) => {
    const [body] = given;
    Reflect.apply(end, response, given);
    const isBody = typeof body === 'string' || body instanceof Uint8Array;
    onEnd({ head, body: isBody ? body : undefined });
    return response;
  };
}
