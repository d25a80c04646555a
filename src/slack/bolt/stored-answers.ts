import type { ServerResponse } from 'node:http';
import { RETRY_MS } from './arrivals.ts';

/** A response: the arguments of `writeHead` and the body passed to `end`. */
interface Answer {
  head: readonly unknown[];
  body: string | Uint8Array | undefined;
}

interface StoredAnswer {
  /** When the request arrived, ms since the epoch. */
  at: number;
  /** 0 until the request is answered. */
  bytes: number;
  /** Undefined until the request is answered, or if it never is. */
  answer: Answer | undefined;
  /** Retries that wait for the answer. */
  waiting: ((answer: Answer | undefined) => void)[];
}

/** Limit for all stored answers together; the oldest are dropped first. At 300 requests a second, that is over a second. */
const MAX_BYTES = 2 ** 20;
/**
 * Limit for the stored answer of a command. A longer one is a list or a help text, and is made again for a retry. Stored,
 * it would outlive the young generation of the heap, which costs `/upnext help` a twelfth of its CPU time.
 */
export const MAX_COMMAND_ANSWER_BYTES = 2 ** 11;
/** Memory for the headers of an answer and its entry. */
const OVERHEAD_BYTES = 1_024;

/** Stores the answers of the last seconds by signature, for retries of the same request. */
export function createStoredAnswers(clock: () => number, maxBytes = MAX_BYTES) {
  const stored = new Map<string, StoredAnswer>();
  let bytes = 0;
  const drop = (signature: string, { bytes: entryBytes }: StoredAnswer) => {
    stored.delete(signature);
    bytes -= entryBytes;
  };
  const dropOld = (now: number) => {
    // The map is in the order of arrival.
    for (const [signature, entry] of stored) {
      if (now - entry.at <= RETRY_MS) break;
      drop(signature, entry);
    }
  };
  const finish = (
    signature: string,
    entry: StoredAnswer,
    answer: Answer | undefined,
    maxAnswerBytes = Number.POSITIVE_INFINITY,
  ) => {
    for (const give of entry.waiting.splice(0)) give(answer);
    if (stored.get(signature) !== entry || entry.bytes > 0) return;
    const answerBytes = answer?.body?.length ?? 0;
    if (answerBytes > maxAnswerBytes) return drop(signature, entry);
    entry.answer = answer;
    entry.bytes = OVERHEAD_BYTES + answerBytes;
    bytes += entry.bytes;
    for (const [oldest, other] of stored) {
      if (bytes <= maxBytes) break;
      // A request in flight has no size yet, and a retry may wait for it.
      if (other.bytes > 0) drop(oldest, other);
    }
  };
  return {
    /** The stored answer, once it is there. Undefined if there is none, or if it was dropped. */
    of(signature: string): Promise<Answer | undefined> | undefined {
      dropOld(clock());
      const found = stored.get(signature);
      if (!found || found.bytes > 0) return found && Promise.resolve(found.answer);
      return new Promise((give) => found.waiting.push(give));
    },
    /**
     * Stores what `response` sends as the answer of this signature, unless it is longer than `maxAnswerBytes` (no limit by
     * default). Call the returned function if it will send nothing.
     */
    keep(signature: string, response: ServerResponse, maxAnswerBytes?: number): () => void {
      const entry: StoredAnswer = { at: clock(), bytes: 0, answer: undefined, waiting: [] };
      stored.set(signature, entry);
      capture(response, (answer) => finish(signature, entry, answer, maxAnswerBytes));
      return () => finish(signature, entry, undefined);
    },
  };
}

/** Sends a stored answer again. */
export function sendStoredAnswer(response: ServerResponse, { head, body }: Answer): void {
  Reflect.apply(response.writeHead, response, head);
  response.end(body);
}

/** Captures `writeHead` and `end`, the only methods that Bolt and we use. Cheap, because every response passes here. */
function capture(response: ServerResponse, onEnd: (answer: Answer) => void): void {
  const { writeHead, end } = response;
  let head: readonly unknown[] = [];
  // Node calls `writeHead` itself if nobody has.
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
