/** Prints whether everything is within the limit, or else what is over it. */
export function printVerdict(limit: string, failures: readonly string[]): void {
  console.log(
    failures.length === 0
      ? `  within the limit: ${limit}`
      : `  OVER the limit: ${limit}: ${failures.join(', ')}`,
  );
}
