/**
 * Exponential backoff with full jitter, ms: a random wait up to a ceiling that doubles with each attempt, so that calls
 * that failed together aren't retried together. https://aws.amazon.com/blogs/architecture/exponential-backoff-and-jitter/
 */
export function fullJitter(
  attempt: number,
  wait: { firstMs: number; maxMs: number },
  random: () => number,
): number {
  const ceiling = Math.min(wait.maxMs, wait.firstMs * 2 ** Math.min(Math.max(attempt - 1, 0), 30));
  return random() * ceiling;
}
