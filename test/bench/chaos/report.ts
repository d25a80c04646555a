import { doubledByAuthors, RULES, type Violation } from './check.ts';
import { lastTold, type PostHistory, timeline } from './history.ts';
import { READY_WITHIN_MS } from './readiness.ts';
import type { ChaosResult } from './run-chaos.ts';

/** So many timelines of each kind are printed. */
const MAX_SHOWN = 5;

/** Everything that was found, as lines. */
export function report(result: ChaosResult): string[] {
  const { found, violations, faults, waits, neverOpened } = result;
  const ready = found.readiness.map(({ ms }) => ms);
  return [
    `faults: ${counted(faults)}`,
    `posts: ${found.posts.length}; ${counted(fates(found.posts, found.held))}`,
    `  written anew in doubt, and there more than once: ${doubledByAuthors(found)}; forms that did not open: ${neverOpened}`,
    ...unclear(found.posts),
    `confirmed in the form: ${waits.length}, after ${at(waits, 0.5)} (p50), ${at(waits, 0.99)} (p99)`,
    `ready after the database was back: ${ready.length} times, ${at(ready, 0.5)} (p50), ${at(ready, 0.95)} (p95), ${at(ready, 1)} at most (wanted: ${READY_WITHIN_MS / 1000} s)`,
    `digests due: ${found.digests.length}, posted: ${found.digests.filter(({ posted }) => posted > 0).length}`,
    `violations: ${violations.length} (wanted: 0)`,
    ...RULES.flatMap((rule) => ofRule(rule, result)),
  ];
}

/** Words of the app that `told-words.ts` does not know: then the verdicts are worth less. */
function unclear(posts: readonly PostHistory[]): string[] {
  const texts = posts.flatMap(({ events }) =>
    events.flatMap((event) => (event.kind === 'told' && event.told === 'unclear' ? [event.text] : [])),
  );
  const shown = texts.slice(0, MAX_SHOWN).map((text) => `    ${JSON.stringify(text.slice(0, 300))}`);
  return texts.length === 0 ? [] : [`  words that are not understood: ${texts.length}`, ...shown];
}

function ofRule(rule: Violation['rule'], { violations, incidents, began }: ChaosResult): string[] {
  const all = violations.filter((violation) => violation.rule === rule);
  if (all.length === 0) return [];
  const shown = all
    .slice(0, MAX_SHOWN)
    .flatMap(({ about, post }) => [
      `    ${about.replaceAll('\n', '\n      ')}`,
      ...(post
        ? [`    by ${post.author}`, ...timeline(post, incidents, began).map((line) => `      ${line}`)]
        : []),
    ]);
  return [`  VIOLATED, ${rule}: ${all.length}`, ...shown];
}

/** What the author was told last, and how often the service has it. */
function fates(posts: readonly PostHistory[], held: ReadonlyMap<string, number>): Record<string, number> {
  const fates: Record<string, number> = {};
  for (const post of posts) {
    const told = [...lastTold(post).values()].at(-1) ?? 'nothing';
    const fate = `${told} and ${held.get(post.content) ?? 0} there`;
    fates[fate] = (fates[fate] ?? 0) + 1;
  }
  return fates;
}

function counted(counts: Record<string, number>): string {
  return Object.entries(counts)
    .toSorted(([, a], [, b]) => b - a)
    .map(([name, count]) => `${count} ${name}`)
    .join(', ');
}

function at(ms: readonly number[], share: number): string {
  if (ms.length === 0) return '–';
  const sorted = ms.toSorted((a, b) => a - b);
  return `${((sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? 0) / 1000).toFixed(1)} s`;
}
