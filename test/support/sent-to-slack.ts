import { WebClient } from '@slack/web-api';
import { AnsweringApp } from '../../src/slack/bolt/bolt.ts';
import { liveMarkup, unsafeOptions } from './live-markup.ts';

/** Everything that any bot of this test file sends to Slack, wherever it goes through. */
export interface Sent {
  /** A method, `response_url` or `acknowledgement`. */
  to: string;
  payload: Readonly<Record<string, unknown>>;
}

const listeners = new Set<(sent: Sent) => void>();

function tell(to: string, payload: unknown): void {
  if (typeof payload !== 'object' || payload === null) return;
  const sent = { to, payload: payload as Record<string, unknown> };
  for (const listener of listeners) listener(sent);
}

let isWatching = false;

/** Once in a process: at the one client, at the answers to commands and presses, and at what Slack waits for. */
function watchAll(): void {
  if (isWatching) return;
  isWatching = true;
  const { apiCall } = WebClient.prototype;
  WebClient.prototype.apiCall = function (method, options) {
    tell(method, options);
    return apiCall.call(this, method, options);
  };
  const { processEvent } = AnsweringApp.prototype;
  AnsweringApp.prototype.processEvent = function (event) {
    const ack: typeof event.ack = async (answer) => {
      tell('acknowledgement', answer);
      await event.ack(answer);
    };
    return processEvent.call(this, { ...event, ack });
  };
  const send = globalThis.fetch;
  globalThis.fetch = (input, init) => {
    const isResponse = /\/response\//.test(String(input)) && typeof init?.body === 'string';
    if (isResponse && listeners.size > 0) tell('response_url', readJson(String(init.body)));
    return send(input, init);
  };
}

/** Undefined where it is none: that is for Slack to refuse. */
function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const MESSAGES = ['chat.postMessage', 'chat.postEphemeral', 'chat.update', 'response_url'];

/** Watches until `stop`, which answers with everything that would have come alive. */
export function watchSent(
  options: { links?: readonly string[]; strangers?: RegExp; onSent?: (sent: Sent) => void } = {},
): { stop(): string[] } {
  watchAll();
  const faults: string[] = [];
  const listener = (sent: Sent) => {
    options.onSent?.(sent);
    const { to, payload } = sent;
    faults.push(...liveMarkup(payload, options).map((fault) => `${to} ${fault}`));
    const isMessage =
      MESSAGES.includes(to) || (to === 'acknowledgement' && payload.response_type !== undefined);
    if (isMessage) faults.push(...unsafeOptions(payload).map((fault) => `${to}: ${fault}`));
  };
  listeners.add(listener);
  return {
    stop() {
      listeners.delete(listener);
      return [...new Set(faults)];
    },
  };
}
