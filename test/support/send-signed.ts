import { createHmac } from 'node:crypto';

/** A payload as Slack sends it: events as JSON, interactions as a form. */
export interface Posted {
  status: number;
  /** Undefined for an empty body. */
  said: unknown;
  ms: number;
}

/** Sends a payload, signed now. `nonce` makes two requests with the same payload different. */
export async function sendSigned(
  to: { url: string; signingSecret: string },
  payload: Record<string, unknown>,
  nonce: number,
): Promise<Posted> {
  const { type, body } = encoded(payload, nonce);
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
  });
  const text = await response.text();
  const said = text === '' ? undefined : text.startsWith('{') ? JSON.parse(text) : text;
  return { status: response.status, said, ms: performance.now() - started };
}

function encoded(payload: Record<string, unknown>, nonce: number): { type: string; body: string } {
  const form = 'application/x-www-form-urlencoded';
  if (typeof payload._form === 'string') return { type: form, body: `${payload._form}&nonce=${nonce}` };
  if (payload.command !== undefined) {
    return {
      type: form,
      body: new URLSearchParams({ ...strings(payload), nonce: String(nonce) }).toString(),
    };
  }
  const json = `${JSON.stringify(payload)}${' '.repeat(nonce)}`;
  const isEvent = payload.type === 'event_callback' || payload.type === 'url_verification';
  if (isEvent) return { type: 'application/json', body: json };
  return { type: form, body: new URLSearchParams({ payload: json }).toString() };
}

function strings(payload: Record<string, unknown>): Record<string, string> {
  return Object.fromEntries(Object.entries(payload).map(([key, value]) => [key, String(value)]));
}
