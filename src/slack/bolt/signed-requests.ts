import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { arrivals, type KeptArrivals, type ShareArrivals } from './arrivals.ts';
import { giveAnswer, keptAnswers } from './kept-answers.ts';
import { bodyReader, bodyType, isCertificateCheck, payloadKind } from './request-body.ts';
import { ownSignature } from './request-signature.ts';

const PATH = '/slack/events';

/** A request with its body read, as Bolt's receiver takes it. */
type Buffered = IncomingMessage & { rawBody: Buffer };

/**
 * What may run although nobody can say whether another instance had it: it changes nothing, or what it changes has a
 * row of its own that is there only once. People read in words what is wrong, and lose no word of a form.
 */
const HARMLESS_AGAIN = [
  '',
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
  next: (request: Buffered, response: ServerResponse) => void;
  /** Tells the other instances what has come; without it this one is alone. */
  share?: ShareArrivals | undefined;
  /** Where it is alone: keeps what has come over a restart. */
  kept?: KeptArrivals | undefined;
  onTrouble?: (error: unknown) => void;
  /** What came of each. */
  onAnswer?: ((answer: 'taken' | 'refused' | 'retried' | 'replayed' | 'unsure') => void) | undefined;
  /** ms since the epoch, by a clock that nobody moves: what Slack signs goes by the computer's own. */
  clock?: () => number;
  /** How long the others may take to say whether they had it, ms. */
  shareMs?: number;
}

/**
 * Hands on only what Slack has signed within five minutes, once: `POST /slack/events`, with `rawBody` set. Slack's own
 * retry of a request gets the first's answer. Where this instance has none to give, because another instance had the
 * first, what is harmless runs again, and all else is acknowledged and runs nothing.
 */
export function signedRequests(options: SignedRequestsOptions): RequestListener {
  const { signingSecret, next, share, kept, clock = Date.now, onAnswer = () => undefined } = options;
  const arrive = arrivals({
    share,
    kept,
    clock,
    ...(options.shareMs !== undefined && { waitMs: options.shareMs }),
    ...(options.onTrouble && { onTrouble: options.onTrouble }),
  });
  const answers = keptAnswers(clock);
  const readBody = bodyReader();
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
    const signature = ownSignature(request.headers, rawBody, signingSecret, clock());
    if (signature === undefined) {
      onAnswer('refused');
      return end(response, 401);
    }
    const kind = payloadKind(type, rawBody);
    if (kind === undefined) return end(response, 400);
    const earlier = answers.of(signature);
    const unanswered = earlier === undefined ? answers.keep(signature, response) : () => undefined;
    try {
      const arrival = await arrive(signature);
      onAnswer(ANSWERS[arrival]);
      if (arrival === 'replay') return end(response, 401);
      const answer = arrival === 'retry' ? await earlier : undefined;
      if (answer) return giveAnswer(response, answer);
      const isHarmless = HARMLESS_AGAIN.includes(kind);
      // Another instance does it, or this one has: what matters to Slack is that it came.
      if (arrival === 'retry' && !isHarmless) return end(response, 200);
      // Slack shows that it failed, and sends events again.
      if (arrival === 'unsure' && !isHarmless) return end(response, 503);
      request.headers['content-type'] = type;
      next(Object.assign(request, { rawBody }), response);
    } catch (error) {
      unanswered();
      throw error;
    }
  };
  return (request, response) => void receive(request, response).catch(() => response.destroy());
}

/** Bodies that were not read to their end leave the connection useless. */
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
