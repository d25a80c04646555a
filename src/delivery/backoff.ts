/**
 * Full jitter: anything up to the wait, which doubles with each try. Those that failed together do not come back
 * together. https://aws.amazon.com/blogs/architecture/exponential-backoff-and-jitter/
 */
export function fullJitter(
  attempt: number,
  wait: { first: number; most: number },
  random: () => number,
): number {
  const ceiling = Math.min(wait.most, wait.first * 2 ** Math.min(Math.max(attempt - 1, 0), 30));
  return random() * ceiling;
}
