import { createHmac, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';

/** Slack's own limit for the difference of clocks (https://docs.slack.dev/authentication/verifying-requests-from-slack/). */
const WINDOW_SECONDS = 300;
/** Slack's largest payload, a view of 250 KB, escaped for a form. */
const BODY_LIMIT = 1024 * 1024;
const PATH = '/slack/events';

/** A request with its body read, as Bolt's receiver takes it. */
type Buffered = IncomingMessage & { rawBody: Buffer };

/**
 * Hands on only what Slack has signed within five minutes, once: `POST /slack/events`, with `rawBody` set. Stricter
 * than Bolt's own check, which takes timestamps from the future and in other notations, and the same request again.
 */
export function signedRequests(options: {
  signingSecret: string;
  next: (request: Buffered, response: ServerResponse) => void;
  /** ms since the epoch. */
  clock?: () => number;
}): RequestListener {
  const clock = options.clock ?? Date.now;
  const seen = new Map<string, number>();
  const receive = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const [path] = (request.url ?? '').split('?');
    if (path !== PATH) return end(response, 404);
    if (request.method !== 'POST') return end(response.setHeader('allow', 'POST'), 405);
    const rawBody = await readBody(request);
    if (rawBody === undefined) return end(response, 413);
    if (isCertificateCheck(rawBody)) return end(response, 200);
    const signature = verify(request, rawBody, options.signingSecret, clock());
    if (signature === undefined || seen.has(signature)) return end(response, 401);
    remember(seen, signature, clock());
    if (!holdsObject(request, rawBody)) return end(response, 400);
    options.next(Object.assign(request, { rawBody }), response);
  };
  return (request, response) => void receive(request, response).catch(() => response.destroy());
}

/** Our own signature of the request, or undefined when it is not Slack's. */
function verify(request: IncomingMessage, body: Buffer, secret: string, now: number): string | undefined {
  const timestamp = request.headers['x-slack-request-timestamp'];
  const given = request.headers['x-slack-signature'];
  if (typeof timestamp !== 'string' || !/^\d{10}$/.test(timestamp)) return undefined;
  if (typeof given !== 'string' || !/^v0=[0-9a-f]{64}$/.test(given)) return undefined;
  if (Math.abs(now / 1000 - Number(timestamp)) > WINDOW_SECONDS) return undefined;
  const own = createHmac('sha256', secret).update(`v0:${timestamp}:`).update(body).digest('hex');
  return timingSafeEqual(Buffer.from(given), Buffer.from(`v0=${own}`)) ? own : undefined;
}

/** Drops what is too old to pass again; the map keeps the order in which signatures came. */
function remember(seen: Map<string, number>, signature: string, now: number): void {
  for (const [old, at] of seen) {
    if (now - at <= 2 * WINDOW_SECONDS * 1000) break;
    seen.delete(old);
  }
  seen.set(signature, now);
}

/** Slack looks at the certificate with an unsigned `ssl_check=1&token=…`. With anything more it is no such look. */
function isCertificateCheck(body: Buffer): boolean {
  if (body.length > 300) return false;
  const fields = new URLSearchParams(body.toString());
  const names = [...fields.keys()];
  return fields.get('ssl_check') === '1' && names.every((name) => name === 'ssl_check' || name === 'token');
}

/** Bolt's receiver ends the process with an unhandled rejection over a payload that is `null`. */
function holdsObject(request: IncomingMessage, body: Buffer): boolean {
  const text = body.toString();
  const isForm = request.headers['content-type'] === 'application/x-www-form-urlencoded';
  const payload = isForm ? new URLSearchParams(text).get('payload') : text;
  return payload === null || payload.startsWith('{');
}

/** Undefined beyond the limit. */
async function readBody(request: IncomingMessage): Promise<Buffer | undefined> {
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of request) {
      size += chunk.length;
      if (size > BODY_LIMIT) return undefined;
      chunks.push(chunk);
    }
  } catch {
    // The sender hung up: nobody is left to answer.
    return undefined;
  }
  return Buffer.concat(chunks);
}

function end(response: ServerResponse, status: number): void {
  response.writeHead(status, { 'content-length': 0, ...(status === 413 && { connection: 'close' }) });
  response.end();
}
