import { countDuplicatesByAuthors, RULES, type Violation } from './check.ts';
import { formatTimeline, getLastReports, type PostHistory } from './history.ts';
import { READY_WITHIN_MS } from './readiness.ts';
import type { ChaosResult } from './run-chaos.ts';

/** Maximum printed examples of each kind. */
const MAX_EXAMPLES = 5;

/** Formats the report about a run as lines. */
export function formatReport(result: ChaosResult): string[] {
  const { observations, violations, faultCounts, confirmationTimesMs, unopenedFormCount } = result;
  const readyTimes = observations.readiness.map(({ elapsedMs }) => elapsedMs);
  return [
    `faults: ${formatCounts(faultCounts)}`,
    `posts: ${observations.posts.length}; ${formatCounts(countOutcomes(observations.posts, observations.copyCounts))}`,
    `  duplicated by uncertain authors: ${countDuplicatesByAuthors(observations)}; forms that did not open: ${unopenedFormCount}`,
    ...formatUnrecognizedTexts(observations.posts),
    `confirmed in the form: ${confirmationTimesMs.length}, after ${formatPercentile(confirmationTimesMs, 0.5)} (p50), ${formatPercentile(confirmationTimesMs, 0.99)} (p99)`,
    `ready after the database was reachable again: ${readyTimes.length} times, ${formatPercentile(readyTimes, 0.5)} (p50), ${formatPercentile(readyTimes, 0.95)} (p95), ${formatPercentile(readyTimes, 1)} max (limit: ${READY_WITHIN_MS / 1000} s)`,
    `digests due: ${observations.digests.length}, sent: ${observations.digests.filter(({ messageCount }) => messageCount > 0).length}`,
    `violations: ${violations.length} (limit: 0)`,
    ...RULES.flatMap((rule) => formatViolations(rule, result)),
  ];
}

/** Formats the texts of the app that `parseReport` doesn't recognize, because they make the result less reliable. */
function formatUnrecognizedTexts(posts: readonly PostHistory[]): string[] {
  const texts = posts.flatMap(({ events }) =>
    events.flatMap((event) =>
      event.kind === 'reported' && event.state === 'unrecognized' ? [event.text] : [],
    ),
  );
  const examples = texts.slice(0, MAX_EXAMPLES).map((text) => `    ${JSON.stringify(text.slice(0, 300))}`);
  return texts.length === 0 ? [] : [`  unrecognized texts: ${texts.length}`, ...examples];
}

function formatViolations(
  rule: Violation['rule'],
  { violations, incidents, startedAt }: ChaosResult,
): string[] {
  const ruleViolations = violations.filter((violation) => violation.rule === rule);
  if (ruleViolations.length === 0) return [];
  const examples = ruleViolations
    .slice(0, MAX_EXAMPLES)
    .flatMap(({ details, post }) => [
      `    ${details.replaceAll('\n', '\n      ')}`,
      ...(post
        ? [
            `    by ${post.author}`,
            ...formatTimeline(post, incidents, startedAt).map((line) => `      ${line}`),
          ]
        : []),
    ]);
  return [`  VIOLATED, ${rule}: ${ruleViolations.length}`, ...examples];
}

/** Counts the posts by the last report about them and the number of copies in the service. */
function countOutcomes(
  posts: readonly PostHistory[],
  counts: ReadonlyMap<string, number>,
): Record<string, number> {
  const outcomes: Record<string, number> = {};
  for (const post of posts) {
    const state = [...getLastReports(post).values()].at(-1) ?? 'nothing';
    const outcome = `${state} and ${counts.get(post.content) ?? 0} in the service`;
    outcomes[outcome] = (outcomes[outcome] ?? 0) + 1;
  }
  return outcomes;
}

function formatCounts(counts: Record<string, number>): string {
  return Object.entries(counts)
    .toSorted(([, a], [, b]) => b - a)
    .map(([name, count]) => `${count} ${name}`)
    .join(', ');
}

function formatPercentile(times: readonly number[], share: number): string {
  if (times.length === 0) return '–';
  const sorted = times.toSorted((a, b) => a - b);
  return `${((sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? 0) / 1000).toFixed(1)} s`;
}
