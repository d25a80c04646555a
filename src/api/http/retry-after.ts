import { DateTime } from 'luxon';

/** Nothing is tried for longer than a day, so a larger value is cut to this. A decision of ours. */
const MAX_RETRY_AFTER_MS = 24 * 60 * 60 * 1_000;

/** Retry-After (seconds or an HTTP date, RFC 9110 §10.2.3) in ms, 0 to 24 hours; undefined when it is neither. */
export function readRetryAfter(value: string | null, now: number): number | undefined {
  const text = value?.trim() ?? '';
  const date = DateTime.fromHTTP(text);
  const ms = /^\d+$/.test(text) ? Number(text) * 1_000 : date.isValid ? date.toMillis() - now : undefined;
  return ms === undefined ? undefined : Math.min(Math.max(ms, 0), MAX_RETRY_AFTER_MS);
}
