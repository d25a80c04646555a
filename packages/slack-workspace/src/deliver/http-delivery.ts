import { createHmac } from 'node:crypto';
import {
  type IncomingHttpHeaders,
  type IncomingMessage,
  Agent as PlainAgent,
  request as plain,
} from 'node:http';
import { Agent as SecureAgent, request as secure } from 'node:https';
import { text } from 'node:stream/consumers';
import { parseJsonOrText } from '../json.ts';
import type { AppRequest, Delivery, DeliveryAnswer } from './app-connection.ts';

/** Longer than Slack's three seconds, so that the inspector shows late answers. */
const TIMEOUT_MS = 10_000;

class PostTimeout extends Error {
  constructor() {
    super(`no answer within ${TIMEOUT_MS} ms`);
  }
}

interface PostResponse {
  status: number;
  headers: IncomingHttpHeaders;
  text: string;
}

/**
 * Sends POST requests to one address over persistent connections. It takes half the CPU time of `fetch`, which also
 * refuses some ports. Redirects aren't followed.
 */
class HttpPoster {
  readonly #url: URL;
  readonly #agent: PlainAgent;

  constructor(url: string) {
    this.#url = new URL(url);
    const options = { keepAlive: true };
    this.#agent = this.#url.protocol === 'https:' ? new SecureAgent(options) : new PlainAgent(options);
  }

  /** Rejects with a {@link PostTimeout} if no complete answer comes in time, and with a system error otherwise. */
  post(headers: Record<string, string>, body: string): Promise<PostResponse> {
    const { promise, resolve, reject } = Promise.withResolvers<PostResponse>();
    const start = this.#url.protocol === 'https:' ? secure : plain;
    const request = start(this.#url, {
      method: 'POST',
      agent: this.#agent,
      headers: { ...headers, 'Content-Length': Buffer.byteLength(body) },
    });
    const timer = setTimeout(() => {
      reject(new PostTimeout());
      request.destroy();
    }, TIMEOUT_MS);
    timer.unref();
    request.on('response', (response: IncomingMessage) => {
      text(response).then((received) => {
        resolve({ status: response.statusCode ?? 0, headers: response.headers, text: received });
      }, reject);
    });
    request.on('error', (error: NodeJS.ErrnoException) => {
      // The server closed an idle connection at the moment it was used again (Node.js, `request.reusedSocket`).
      if (request.reusedSocket && error.code === 'ECONNRESET') this.post(headers, body).then(resolve, reject);
      else reject(error);
    });
    request.on('close', () => clearTimeout(timer));
    request.end(body);
    return promise;
  }

  close(): void {
    this.#agent.destroy();
  }
}

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

function buildRetryHeaders({ retry }: AppRequest): Record<string, string> {
  if (!retry) return {};
  return { 'X-Slack-Retry-Num': String(retry.num), 'X-Slack-Retry-Reason': retry.reason };
}

/** Sends each payload as a signed POST. The body of the response is the acknowledgement. */
export class HttpDelivery implements Delivery {
  readonly transport = 'http';
  readonly #signingSecret: string;
  readonly #now: () => number;
  readonly #onChange: () => void;
  readonly #poster: HttpPoster;
  #reachable = true;

  /** `onChange` is called when the app's address starts or stops answering. */
  constructor(options: { url: string; signingSecret: string; now: () => number; onChange: () => void }) {
    this.#signingSecret = options.signingSecret;
    this.#now = options.now;
    this.#onChange = options.onChange;
    this.#poster = new HttpPoster(options.url);
  }

  get connected(): boolean {
    return this.#reachable;
  }

  /** Resolves at once, since only a request shows whether the address answers. */
  ready(): Promise<void> {
    return Promise.resolve();
  }

  async send(request: AppRequest): Promise<DeliveryAnswer> {
    const { body, contentType } = buildBody(request);
    try {
      const { status, headers, text } = await this.#poster.post(
        {
          'Content-Type': contentType,
          'User-Agent': 'Slackbot 1.0 (+https://api.slack.com/robots)',
          ...buildRetryHeaders(request),
          ...buildSignatureHeaders(this.#signingSecret, request.signedAt ?? this.#now(), body),
        },
        body,
      );
      this.#setReachable(true);
      // Slack accepts any 2xx for an event.
      const isAccepted = request.type === 'events_api' ? status >= 200 && status < 300 : status === 200;
      const final = headers['x-slack-no-retry'] === '1';
      if (!isAccepted) return { kind: 'refused', reason: `HTTP ${status}`, final };
      const isJson = headers['content-type']?.includes('application/json');
      const payload = isJson ? parseJsonOrText(text) : text;
      return { kind: 'acknowledged', payload: text === '' ? undefined : payload };
    } catch (error) {
      if (error instanceof PostTimeout) return { kind: 'refused', reason: error.message };
      this.#setReachable(false);
      return { kind: 'not-connected' };
    }
  }

  close(): void {
    this.#poster.close();
  }

  #setReachable(reachable: boolean): void {
    if (reachable === this.#reachable) return;
    this.#reachable = reachable;
    this.#onChange();
  }
}
