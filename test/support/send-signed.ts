import { createHmac } from 'node:crypto';
import { Agent, fetch } from 'undici';

/** The app's response. */
export interface SignedResponse {
  status: number;
  /** Parsed if it is JSON. Undefined for an empty body. */
  said: unknown;
  ms: number;
}

/**
 * A new connection for each request. While this process is busy, the server may close an idle connection just when the
 * next request is written to it.
 */
const dispatcher = new Agent({ pipelining: 0 });

/**
 * Sends a payload as Slack does, signed with the current time: events as JSON, everything that people do as a form.
 * Another `nonce` makes another request of the same payload.
 */
export async function sendSigned(
  to: { url: string; signingSecret: string },
  payload: Record<string, unknown>,
  nonce: number,
): Promise<SignedResponse> {
  const { type, body } = encode(payload, nonce);
  const timestamp = String(Math.floor(Date.now() / 1000));
  const signature = createHmac('sha256', to.signingSecret).update(`v0:${timestamp}:${body}`).digest('hex');
  const started = performance.now();
  const response = await fetch(to.url, {
    method: 'POST',
    headers: {
      'content-type': type,
      'x-slack-request-timestamp': timestamp,
      'x-slack-signature': `v0=${signature}`,
    },
    body,
    dispatcher,
  });
  const text = await response.text();
  const said = text === '' ? undefined : text.startsWith('{') ? JSON.parse(text) : text;
  return { status: response.status, said, ms: performance.now() - started };
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
