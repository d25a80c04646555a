import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { createArrivalCheck, type ShareArrivals, type StoredArrivals } from './arrivals.ts';
import { bodyType, createBodyReader, isCertificateCheck, payloadKind } from './request-body.ts';
import { verifySignature } from './request-signature.ts';
import { createStoredAnswers, MAX_COMMAND_ANSWER_BYTES, sendStoredAnswer } from './stored-answers.ts';

const PATH = '/slack/events';

/** A request with its body read, in the form that Bolt's receiver expects. */
type BufferedRequest = IncomingMessage & { rawBody: Buffer };

/**
 * Kinds of requests that may run even if another instance may have handled them: they change nothing, or they write
 * rows that can exist only once. So people get an answer, and a form keeps its content.
 */
const COMMAND = '';
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

const ANSWERS = { first: 'taken', retry: 'retried', replay: 'replayed', unsure: 'unsure' } as const;

interface SignedRequestsOptions {
  signingSecret: string;
  next: (request: BufferedRequest, response: ServerResponse) => void;
  /** Arrivals shared by all instances. Undefined if there is only one instance. */
  share?: ShareArrivals | undefined;
  /** Stored arrivals of a single instance. Used if there is no `share`. */
  kept?: StoredArrivals | undefined;
  onError?: (error: unknown) => void;
  /** Called with the result for each request. */
  onAnswer?: ((answer: 'taken' | 'refused' | 'retried' | 'replayed' | 'unsure') => void) | undefined;
  /** Clock in ms since the epoch. Defaults to the system clock, with which Slack's timestamps are compared. */
  clock?: () => number;
  /** Time limit for looking up shared arrivals, ms. */
  shareMs?: number;
}

/**
 * Passes on each request that Slack signed within the last five minutes, once: `POST /slack/events`, with `rawBody`
 * set. Slack's own retry of a request gets the stored answer of the first. If this instance has no such answer, because
 * another instance handled the first or a command's answer was too long, requests of SAFE_TO_REPEAT run again, and other
 * requests are acknowledged without running.
 */
export function createSignedRequestListener(options: SignedRequestsOptions): RequestListener {
  const { signingSecret, next, share, kept, clock = Date.now, onAnswer = () => undefined } = options;
  const checkArrival = createArrivalCheck({
    share,
    kept,
    clock,
    ...(options.shareMs !== undefined && { waitMs: options.shareMs }),
    ...(options.onError && { onError: options.onError }),
  });
  const answers = createStoredAnswers(clock);
  const readBody = createBodyReader();
  const receive = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const [path] = (request.url ?? '').split('?');
    if (path !== PATH) return end(response, 404);
    if (request.method !== 'POST') return end(response.setHeader('allow', 'POST'), 405);
    const type = bodyType(request);
    if (type === undefined) return end(response, 415);
    const rawBody = await readBody(request);
    if (rawBody === undefined) return end(response, 413);
    if (rawBody === 'busy') return end(response, 503, { isCutShort: true });
    if (isCertificateCheck(type, rawBody)) return end(response, 200);
    const signature = verifySignature(request.headers, rawBody, signingSecret, clock());
    if (signature === undefined) {
      onAnswer('refused');
      return end(response, 401);
    }
    const kind = payloadKind(type, rawBody);
    if (kind === undefined) return end(response, 400);
    const earlier = answers.of(signature);
    const maxAnswerBytes = kind === COMMAND ? MAX_COMMAND_ANSWER_BYTES : undefined;
    const giveUpAnswer =
      earlier === undefined ? answers.keep(signature, response, maxAnswerBytes) : () => undefined;
    try {
      const arrival = await checkArrival(signature);
      onAnswer(ANSWERS[arrival]);
      if (arrival === 'replay') return end(response, 401);
      const answer = arrival === 'retry' ? await earlier : undefined;
      if (answer) return sendStoredAnswer(response, answer);
      const isSafe = SAFE_TO_REPEAT.includes(kind);
      // This or another instance handles the first request. Slack only needs to know that the retry arrived.
      if (arrival === 'retry' && !isSafe) return end(response, 200);
      // Slack shows an error to the person, and sends events again.
      if (arrival === 'unsure' && !isSafe) return end(response, 503);
      request.headers['content-type'] = type;
      next(Object.assign(request, { rawBody }), response);
    } catch (error) {
      giveUpAnswer();
      throw error;
    }
  };
  return (request, response) => void receive(request, response).catch(() => response.destroy());
}

/** Statuses sent before the body was read to its end, which makes the connection unusable. */
const CUT_SHORT = [404, 405, 413, 415];

function end(
  response: ServerResponse,
  status: number,
  { isCutShort = CUT_SHORT.includes(status) } = {},
): void {
  response.writeHead(status, {
    'content-length': 0,
    'x-content-type-options': 'nosniff',
    'cache-control': 'no-store',
    ...(isCutShort && { connection: 'close' }),
  });
  response.end();
}
