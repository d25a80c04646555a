import type { Delivery, Parcel, WireAnswer } from './delivery.ts';
import { signedHeaders } from './signature.ts';

/** After this long the connection is given up; Slack itself has long shown an error by then. */
const GIVE_UP_MS = 10_000;
const FORM = 'application/x-www-form-urlencoded';

function wireBody(parcel: Parcel): { body: string; contentType: string } {
  if (parcel.type === 'events_api') {
    return { body: JSON.stringify(parcel.payload), contentType: 'application/json' };
  }
  const fields =
    parcel.type === 'interactive'
      ? { payload: JSON.stringify(parcel.payload) }
      : Object.fromEntries(Object.entries(parcel.payload).map(([key, value]) => [key, String(value)]));
  return { body: new URLSearchParams(fields).toString(), contentType: FORM };
}

function retryHeaders({ retry }: Parcel): Record<string, string> {
  if (!retry) return {};
  return { 'X-Slack-Retry-Num': String(retry.num), 'X-Slack-Retry-Reason': retry.reason };
}

function readBody(text: string, contentType: string): unknown {
  if (text === '') return undefined;
  if (!contentType.includes('application/json')) return text;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** One signed POST for each payload; the body of the answer is the acknowledgement. */
export class HttpDelivery implements Delivery {
  readonly wire = 'http';
  readonly #url: string;
  readonly #signingSecret: string;
  readonly #now: () => number;
  readonly #changed: () => void;
  #reachable = true;

  /** `changed` is called when the address begins or ceases to answer. */
  constructor(options: { url: string; signingSecret: string; now: () => number; changed: () => void }) {
    this.#url = options.url;
    this.#signingSecret = options.signingSecret;
    this.#now = options.now;
    this.#changed = options.changed;
  }

  /** As far as the last request tells. */
  get connected(): boolean {
    return this.#reachable;
  }

  /** Whether an address answers shows only when something is sent there. */
  ready(): Promise<void> {
    return Promise.resolve();
  }

  async send(parcel: Parcel): Promise<WireAnswer> {
    const { body, contentType } = wireBody(parcel);
    try {
      const response = await fetch(this.#url, {
        method: 'POST',
        headers: {
          'Content-Type': contentType,
          'User-Agent': 'Slackbot 1.0 (+https://api.slack.com/robots)',
          ...retryHeaders(parcel),
          ...signedHeaders(this.#signingSecret, parcel.signedAt ?? this.#now(), body),
        },
        body,
        redirect: 'manual',
        signal: AbortSignal.timeout(GIVE_UP_MS),
      });
      const text = await response.text();
      this.#heard(true);
      // Slack takes any 2xx for an event.
      const taken = parcel.type === 'events_api' ? response.ok : response.status === 200;
      const final = response.headers.get('x-slack-no-retry') === '1';
      if (!taken) return { kind: 'refused', reason: `HTTP ${response.status}`, final };
      return {
        kind: 'acknowledged',
        payload: readBody(text, response.headers.get('content-type') ?? ''),
      };
    } catch (error) {
      if (error instanceof Error && error.name === 'TimeoutError') {
        return { kind: 'refused', reason: `no answer within ${GIVE_UP_MS} ms` };
      }
      this.#heard(false);
      return { kind: 'not-connected' };
    }
  }

  close(): void {
    // Nothing is held open.
  }

  #heard(reachable: boolean): void {
    if (reachable === this.#reachable) return;
    this.#reachable = reachable;
    this.#changed();
  }
}
