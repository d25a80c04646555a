import { WebClient } from '@slack/web-api';
import { RespondingApp } from '../../src/handlers/bolt/bolt.ts';
import { findLiveMarkup, findUnsafeOptions } from './live-markup.ts';

/** A payload that a bot in this process sent to Slack. */
export interface Sent {
  /** A Web API method, `response_url` or `acknowledgement`. */
  to: string;
  payload: Readonly<Record<string, unknown>>;
}

const listeners = new Set<(sent: Sent) => void>();

function notifyListeners(to: string, payload: unknown): void {
  if (typeof payload !== 'object' || payload === null) return;
  const sent = { to, payload: payload as Record<string, unknown> };
  for (const listener of listeners) listener(sent);
}

let isIntercepting = false;

/** Watches Web API calls, responses to commands and buttons, and acknowledgements, from the first call on. */
function interceptSlackCalls(): void {
  if (isIntercepting) return;
  isIntercepting = true;
  const { apiCall } = WebClient.prototype;
  WebClient.prototype.apiCall = function (method, options) {
    notifyListeners(method, options);
    return apiCall.call(this, method, options);
  };
  const { processEvent } = RespondingApp.prototype;
  RespondingApp.prototype.processEvent = function (event) {
    const ack: typeof event.ack = async (answer) => {
      notifyListeners('acknowledgement', answer);
      await event.ack(answer);
    };
    return processEvent.call(this, { ...event, ack });
  };
  const originalFetch = globalThis.fetch;
  globalThis.fetch = (input, init) => {
    const isResponse = /\/response\//.test(String(input)) && typeof init?.body === 'string';
    if (isResponse && listeners.size > 0) notifyListeners('response_url', parseJson(String(init.body)));
    return originalFetch(input, init);
  };
}

/** Parses JSON. Undefined if the text isn't JSON, which Slack would refuse. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const MESSAGES = ['chat.postMessage', 'chat.postEphemeral', 'chat.update', 'response_url'];

/** Checks all payloads that are sent until `stop`. `stop` returns the faults: text from people that would be markup. */
export function watchSent(
  options: { links?: readonly string[]; strangers?: RegExp; onSent?: (sent: Sent) => void } = {},
): { stop(): string[] } {
  interceptSlackCalls();
  const faults: string[] = [];
  const listener = (sent: Sent) => {
    options.onSent?.(sent);
    const { to, payload } = sent;
    faults.push(...findLiveMarkup(payload, options).map((fault) => `${to} ${fault}`));
    const isMessage =
      MESSAGES.includes(to) || (to === 'acknowledgement' && payload.response_type !== undefined);
    if (isMessage) faults.push(...findUnsafeOptions(payload).map((fault) => `${to}: ${fault}`));
  };
  listeners.add(listener);
  return {
    stop() {
      listeners.delete(listener);
      return [...new Set(faults)];
    },
  };
}
