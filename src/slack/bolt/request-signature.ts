import { createHmac, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';

/** Slack's limit for clock skew: https://docs.slack.dev/authentication/verifying-requests-from-slack/ */
export const WINDOW_SECONDS = 300;

/**
 * Verifies the signature of a request, and returns the signature that we computed, in hex. Undefined if the request
 * isn't from Slack. `now`: ms since the epoch. Stricter than Bolt's check, which accepts timestamps from the future and
 * in other notations, and a suffix after the signature.
 */
export function verifySignature(
  headers: IncomingHttpHeaders,
  body: Buffer,
  secret: string,
  now: number,
): string | undefined {
  const timestamp = headers['x-slack-request-timestamp'];
  const given = headers['x-slack-signature'];
  if (typeof timestamp !== 'string' || !/^\d{10}$/.test(timestamp)) return undefined;
  if (typeof given !== 'string' || !/^v0=[0-9a-f]{64}$/.test(given)) return undefined;
  if (Math.abs(now / 1000 - Number(timestamp)) > WINDOW_SECONDS) return undefined;
  const own = createHmac('sha256', secret).update(`v0:${timestamp}:`).update(body).digest('hex');
  return timingSafeEqual(Buffer.from(given), Buffer.from(`v0=${own}`)) ? own : undefined;
}
