/**
 * Computes the wait before a retry, ms: exponential backoff with full jitter. The wait is random, up to a ceiling that
 * doubles with each attempt. The jitter spreads the retries of calls that failed at the same time.
 * https://aws.amazon.com/blogs/architecture/exponential-backoff-and-jitter/
 */
export function computeFullJitterMs(
  attempt: number,
  wait: { firstMs: number; maxMs: number },
  random: () => number,
): number {
  const ceilingMs = Math.min(wait.maxMs, wait.firstMs * 2 ** Math.min(Math.max(attempt - 1, 0), 30));
  return random() * ceilingMs;
}
