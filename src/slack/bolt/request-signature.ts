import { createHmac, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';

/**
 * Maximum difference between the timestamp of a request and our clock, as Slack recommends:
 * https://docs.slack.dev/authentication/verifying-requests-from-slack/
 */
export const MAX_CLOCK_SKEW_SECONDS = 300;

/**
 * Verifies the signature of a request, and returns the signature that we computed, in hex. Undefined if the request
 * isn't from Slack. `now`: ms since the epoch. This check is stricter than Bolt's, which accepts timestamps from the
 * future, timestamps in other notations, and a suffix after the signature.
 */
export function verifySignature(
  headers: IncomingHttpHeaders,
  body: Buffer,
  secret: string,
  now: number,
): string | undefined {
  const timestamp = headers['x-slack-request-timestamp'];
  const sentSignature = headers['x-slack-signature'];
  if (typeof timestamp !== 'string' || !/^\d{10}$/.test(timestamp)) return undefined;
  if (typeof sentSignature !== 'string' || !/^v0=[0-9a-f]{64}$/.test(sentSignature)) return undefined;
  if (Math.abs(now / 1000 - Number(timestamp)) > MAX_CLOCK_SKEW_SECONDS) return undefined;
  const computedSignature = createHmac('sha256', secret)
    .update(`v0:${timestamp}:`)
    .update(body)
    .digest('hex');
  return timingSafeEqual(Buffer.from(sentSignature), Buffer.from(`v0=${computedSignature}`))
    ? computedSignature
    : undefined;
}
