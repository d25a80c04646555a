import { DateTime } from 'luxon';

/** Upper limit for the result, because nothing is retried for longer than a day. */
const MAX_RETRY_AFTER_MS = 24 * 60 * 60 * 1_000;

/**
 * Parses Retry-After: seconds or an HTTP date (RFC 9110 §10.2.3). Returns 0 to 24 hours in ms. Undefined if invalid.
 */
export function readRetryAfter(value: string | null, now: number): number | undefined {
  const text = value?.trim() ?? '';
  const date = DateTime.fromHTTP(text);
  const ms = /^\d+$/.test(text) ? Number(text) * 1_000 : date.isValid ? date.toMillis() - now : undefined;
  return ms === undefined ? undefined : Math.min(Math.max(ms, 0), MAX_RETRY_AFTER_MS);
}
