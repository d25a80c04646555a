import { createHmac, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';

/** Slack's own limit for the difference of clocks (https://docs.slack.dev/authentication/verifying-requests-from-slack/). */
export const WINDOW_SECONDS = 300;

/**
 * Our own signature of a request, in hex, or undefined when it is not Slack's. `now`: ms since the epoch. Stricter than
 * Bolt's check, which takes timestamps from the future and in other notations, and more behind a signature.
 */
export function ownSignature(
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
