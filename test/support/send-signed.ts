import { createHmac } from 'node:crypto';
import { Agent, fetch } from 'undici';
import { readOwnTime } from './busyness.ts';

/** The app's response. */
export interface SignedResponse {
  status: number;
  /** Parsed if it is JSON. Undefined for an empty body. */
  body: unknown;
  ms: number;
}

/**
 * Opens a new connection for each request. While this process is busy, the server may close an idle connection just
 * when this process sends the next request over it.
 */
const ownDispatcher = new Agent({ pipelining: 0 });

/**
 * Sends a payload as Slack does, signed with the current time. Events are sent as JSON, all other payloads as forms.
 * The same payload with another `nonce` is a different request. `dispatcher`: sends it from another address.
 */
export async function sendSigned(
  to: { url: string; signingSecret: string; dispatcher?: Agent },
  payload: Record<string, unknown>,
  nonce: number,
): Promise<SignedResponse> {
  const { type, body } = encode(payload, nonce);
  const timestamp = String(Math.floor(Date.now() / 1000));
  const signature = createHmac('sha256', to.signingSecret).update(`v0:${timestamp}:${body}`).digest('hex');
  const startedAt = readOwnTime();
  const response = await fetch(to.url, {
    method: 'POST',
    headers: {
      'content-type': type,
      'x-slack-request-timestamp': timestamp,
      'x-slack-signature': `v0=${signature}`,
    },
    body,
    dispatcher: to.dispatcher ?? ownDispatcher,
  });
  const text = await response.text();
  const responseBody = text === '' ? undefined : text.startsWith('{') ? JSON.parse(text) : text;
  return { status: response.status, body: responseBody, ms: readOwnTime() - startedAt };
}

function encode(payload: Record<string, unknown>, nonce: number): { type: string; body: string } {
  const form = 'application/x-www-form-urlencoded';
  if (typeof payload._form === 'string') return { type: form, body: `${payload._form}&nonce=${nonce}` };
  if (payload.command !== undefined) {
    return {
      type: form,
      body: new URLSearchParams({ ...toStrings(payload), nonce: String(nonce) }).toString(),
    };
  }
  const json = `${JSON.stringify(payload)}${' '.repeat(nonce)}`;
  const isEvent = payload.type === 'event_callback' || payload.type === 'url_verification';
  if (isEvent) return { type: 'application/json', body: json };
  return { type: form, body: new URLSearchParams({ payload: json }).toString() };
}

function toStrings(payload: Record<string, unknown>): Record<string, string> {
  return Object.fromEntries(Object.entries(payload).map(([key, value]) => [key, String(value)]));
}

/** The payload of a command of Ana's. */
export const COMMAND = {
  ...{ command: '/upnext', text: 'help', team_id: 'T01HARBOUR', user_id: 'U01ANAFERR' },
  ...{ channel_id: 'C01GENERAL', trigger_id: '1.2.a', response_url: 'https://hooks.slack.com/commands/1' },
};
