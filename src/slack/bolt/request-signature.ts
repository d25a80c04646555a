import { createHmac, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';

/**
 * Maximum difference between the timestamp of a request and our clock, as Slack recommends:
 * https://docs.slack.dev/authentication/verifying-requests-from-slack/
 */
const MAX_CLOCK_SKEW_SECONDS = 300;

/**
 * Whether Slack signed the request within the last five minutes. `now`: ms since the epoch. This check is stricter than
 * Bolt's, which accepts timestamps from the future, timestamps in other notations, and a suffix after the signature.
 */
export function isSigned(headers: IncomingHttpHeaders, body: Buffer, secret: string, now: number): boolean {
  const timestamp = headers['x-slack-request-timestamp'];
  const signature = headers['x-slack-signature'];
  if (typeof timestamp !== 'string' || !/^\d{10}$/.test(timestamp)) return false;
  if (typeof signature !== 'string' || !/^v0=[0-9a-f]{64}$/.test(signature)) return false;
  if (Math.abs(now / 1000 - Number(timestamp)) > MAX_CLOCK_SKEW_SECONDS) return false;
  const digest = createHmac('sha256', secret).update(`v0:${timestamp}:`).update(body).digest('hex');
  return timingSafeEqual(Buffer.from(signature), Buffer.from(`v0=${digest}`));
}
