import { DateTime } from 'luxon';

/**
 * Upper limit for the result. A service may ask for a day, and be ready again a minute later. One call every five minutes
 * finds that out, and costs the service little.
 */
const MAX_RETRY_AFTER_MS = 5 * 60 * 1_000;

/**
 * Parses Retry-After: seconds or an HTTP date (RFC 9110 §10.2.3). Returns 0 to 5 minutes in ms. Undefined if invalid.
 */
export function readRetryAfter(value: string | null, now: number): number | undefined {
  const text = value?.trim() ?? '';
  const date = DateTime.fromHTTP(text);
  const ms = /^\d+$/.test(text) ? Number(text) * 1_000 : date.isValid ? date.toMillis() - now : undefined;
  return ms === undefined ? undefined : Math.min(Math.max(ms, 0), MAX_RETRY_AFTER_MS);
}
