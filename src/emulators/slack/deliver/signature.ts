import { createHmac } from 'node:crypto';

/** Slack's request signature, version v0: HMAC-SHA256 of `v0:<seconds>:<raw body>`. */
export function buildSignatureHeaders(secret: string, now: number, body: string): Record<string, string> {
  const seconds = String(Math.floor(now / 1000));
  const digest = createHmac('sha256', secret).update(`v0:${seconds}:${body}`).digest('hex');
  return { 'X-Slack-Request-Timestamp': seconds, 'X-Slack-Signature': `v0=${digest}` };
}
