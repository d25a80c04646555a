import type { AppRequest, Delivery, DeliveryAnswer } from './delivery.ts';
import { HttpPoster, PostTimeout } from './http-poster.ts';
import { buildSignatureHeaders } from './signature.ts';

const FORM = 'application/x-www-form-urlencoded';

function buildBody(request: AppRequest): { body: string; contentType: string } {
  if (request.type === 'events_api') {
    return { body: JSON.stringify(request.payload), contentType: 'application/json' };
  }
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

function parseBody(text: string, contentType: string): unknown {
  if (text === '') return undefined;
  if (!contentType.includes('application/json')) return text;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
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
      return { kind: 'acknowledged', payload: parseBody(text, headers['content-type'] ?? '') };
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
