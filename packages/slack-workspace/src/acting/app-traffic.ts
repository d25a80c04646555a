import { parseJsonOrText } from '../json.ts';
import type { TrafficRecord } from '../protocol.ts';
import type { Site } from '../site.ts';
import { ActingError } from './acting-error.ts';
import { type WaitOptions, waitUntil } from './participant.ts';

/** A call by the app, or a request to it. Tokens are shortened. */
export interface Exchange {
  /** ms since the epoch, by the workspace's clock. */
  at: number;
  /** The kind of a call: `Web API`, `response_url` or `upload`. The kind of a request, such as `block_actions`. */
  kind: string;
  /** The method of a call. The command, event or action_id of a request. */
  name: string;
  /** The arguments of a call, or the payload of a request. */
  payload: unknown;
  /** Undefined until the answer arrives, and if it is empty. */
  answer?: unknown;
  durationMs?: number;
  outcome: TrafficRecord['outcome'];
  /** Slack's error, or why the app didn't acknowledge. */
  error?: string;
}

function readRecord(record: TrafficRecord): Exchange {
  const { at, kind, label: name, payload, answer, durationMs, outcome, reason } = record;
  return {
    ...{ at, kind, name, outcome },
    payload: parseJsonOrText(payload),
    ...(answer !== undefined && { answer: parseJsonOrText(answer) }),
    ...(durationMs !== undefined && { durationMs }),
    ...(reason !== undefined && { error: reason }),
  };
}

/** The app's calls and the requests to it, for tests. The workspace stores the newest 500 of both together. */
export class AppTraffic {
  readonly #site: Site;

  constructor(site: Site) {
    this.#site = site;
  }

  /** Whether the app is connected. Over HTTP it always is. */
  get isConnected(): boolean {
    return this.#site.connection.connected;
  }

  /** The app's calls, oldest first. `method` limits them to one method, such as `chat.postMessage`. */
  calls(method?: string): Exchange[] {
    return this.#list('from-app', (record) => method === undefined || record.label === method);
  }

  /** The requests to the app, oldest first. `kind` limits it to one kind, such as `view_submission`. */
  requests(kind?: string): Exchange[] {
    return this.#list('to-app', (record) => kind === undefined || record.kind === kind);
  }

  /** Waits for an answered call of this method, also an earlier one, and returns the newest. */
  waitForCall(method: string, options: WaitOptions = {}): Promise<Exchange> {
    return waitUntil(this.#site, '', {
      ...options,
      find: () => this.calls(method).findLast(({ outcome }) => outcome !== 'waiting'),
      createError: (waited) => {
        const names = this.calls().map(({ name }) => name);
        const calls = names.length === 0 ? 'none' : names.join(', ');
        return new ActingError('not_called', `${waited} for a call of ${method}. Calls so far: ${calls}`);
      },
    });
  }

  /** Waits until the app is connected. */
  async waitUntilConnected(options: WaitOptions = {}): Promise<void> {
    await waitUntil(this.#site, '', {
      ...options,
      find: () => this.isConnected,
      createError: (waited) => new ActingError('not_connected', `${waited} for the app to connect.`),
    });
  }

  #list(direction: TrafficRecord['direction'], fits: (record: TrafficRecord) => boolean): Exchange[] {
    const { records } = this.#site.traffic;
    return records.filter((record) => record.direction === direction && fits(record)).map(readRecord);
  }
}
