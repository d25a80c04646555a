import { createHmac } from 'node:crypto';
import {
  type IncomingMessage,
  type OutgoingHttpHeaders,
  Agent as PlainAgent,
  request as plain,
} from 'node:http';
import { Agent as SecureAgent, request as secure } from 'node:https';
import { text } from 'node:stream/consumers';
import { parseJsonOrText } from '../json.ts';
import type { AppRequest, Delivery, DeliveryAnswer } from './app-connection.ts';

/** Longer than Slack's three seconds, so that the inspector shows late answers. */
const TIMEOUT_MS = 10_000;

type PostResponse = Pick<IncomingMessage, 'statusCode' | 'headers'> & { text: string };

/** Slack's request signature, version v0: HMAC-SHA256 of `v0:<seconds>:<raw body>`. */
function buildSignatureHeaders(secret: string, now: number, body: string): Record<string, string> {
  const seconds = String(Math.floor(now / 1000));
  const digest = createHmac('sha256', secret).update(`v0:${seconds}:${body}`).digest('hex');
  return { 'X-Slack-Request-Timestamp': seconds, 'X-Slack-Signature': `v0=${digest}` };
}

const FORM = 'application/x-www-form-urlencoded';

function buildBody(request: AppRequest): { body: string; contentType: string } {
  if (request.type === 'events_api')
    return { body: JSON.stringify(request.payload), contentType: 'application/json' };
  const fields =
    request.type === 'interactive'
      ? { payload: JSON.stringify(request.payload) }
      : Object.fromEntries(Object.entries(request.payload).map(([key, value]) => [key, String(value)]));
  return { body: new URLSearchParams(fields).toString(), contentType: FORM };
}

interface HttpApp {
  url: string;
  signingSecret: string;
  /** The clock of signatures, in ms. */
  now: () => number;
  /** Called when the app's address starts or stops answering. */
  onChange: () => void;
}

/**
 * Sends each payload as a signed POST, over persistent connections. The body of the response is the acknowledgement. It
 * takes half the CPU time of `fetch`, which also refuses some ports. Redirects aren't followed.
 */
export class HttpDelivery implements Delivery {
  readonly transport = 'http';
  readonly #app: HttpApp;
  readonly #url: URL;
  readonly #agent: PlainAgent;
  #reachable = true;
  #isClosed = false;

  constructor(app: HttpApp) {
    this.#app = app;
    this.#url = new URL(app.url);
    const options = { keepAlive: true };
    this.#agent = this.#url.protocol === 'https:' ? new SecureAgent(options) : new PlainAgent(options);
  }

  /** Whether the last request was answered. */
  get connected(): boolean {
    return this.#reachable;
  }

  /** Resolves at once, since only a request shows whether the address answers. */
  ready(): Promise<void> {
    return Promise.resolve();
  }

  async send(request: AppRequest): Promise<DeliveryAnswer> {
    const { body, contentType } = buildBody(request);
    const { signingSecret, now } = this.#app;
    const { retry } = request;
    const headers = {
      'Content-Type': contentType,
      'Content-Length': Buffer.byteLength(body),
      'User-Agent': 'Slackbot 1.0 (+https://api.slack.com/robots)',
      ...(retry && { 'X-Slack-Retry-Num': String(retry.num), 'X-Slack-Retry-Reason': retry.reason }),
      ...buildSignatureHeaders(signingSecret, request.signedAt ?? now(), body),
    };
    try {
      const response = await this.#post(headers, body);
      if (!response) return { kind: 'refused', reason: `no answer within ${TIMEOUT_MS} ms` };
      this.#setReachable(true);
      const status = response.statusCode ?? 0;
      // Slack accepts any 2xx for an event.
      const isAccepted = request.type === 'events_api' ? status >= 200 && status < 300 : status === 200;
      const final = response.headers['x-slack-no-retry'] === '1';
      if (!isAccepted) return { kind: 'refused', reason: `HTTP ${status}`, final };
      const isJson = response.headers['content-type']?.includes('application/json');
      const payload = isJson ? parseJsonOrText(response.text) : response.text;
      return { kind: 'acknowledged', payload: response.text === '' ? undefined : payload };
    } catch {
      this.#setReachable(false);
      return { kind: 'not-connected' };
    }
  }

  close(): void {
    this.#isClosed = true;
    this.#agent.destroy();
  }

  /** Resolves with undefined if no complete answer comes in time. Rejects with a system error. */
  #post(headers: OutgoingHttpHeaders, body: string): Promise<PostResponse | undefined> {
    const { promise, resolve, reject } = Promise.withResolvers<PostResponse | undefined>();
    const start = this.#url.protocol === 'https:' ? secure : plain;
    const request = start(this.#url, { method: 'POST', agent: this.#agent, headers });
    let isTooLate = false;
    const timer = setTimeout(() => {
      isTooLate = true;
      resolve(undefined);
      request.destroy();
    }, TIMEOUT_MS);
    timer.unref();
    request.on('response', (response: IncomingMessage) => {
      const { statusCode, headers: received } = response;
      text(response).then((body) => resolve({ statusCode, headers: received, text: body }), reject);
    });
    request.on('error', (error: NodeJS.ErrnoException) => {
      // The server closed an idle connection at the moment it was used again (Node.js, `request.reusedSocket`).
      const isIdleClosed = request.reusedSocket && error.code === 'ECONNRESET';
      // The timeout and `close` end connections with the same error.
      if (isIdleClosed && !isTooLate && !this.#isClosed) this.#post(headers, body).then(resolve, reject);
      else reject(error);
    });
    request.on('close', () => clearTimeout(timer));
    request.end(body);
    return promise;
  }

  #setReachable(reachable: boolean): void {
    if (reachable === this.#reachable) return;
    this.#reachable = reachable;
    this.#app.onChange();
  }
}
