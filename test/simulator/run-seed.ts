import { createHash } from 'node:crypto';
import fc from 'fast-check';
import type { Entry } from './history.ts';
import { toKind } from './kind.ts';
import type { Counts } from './model/check-end.ts';
import { findUnknownSentences } from './model/claims.ts';
import { type Plan, plan } from './plan.ts';
import type { Reached } from './reached.ts';
import { renderHistory, renderPlan } from './render.ts';
import { type SimulationResult, simulate } from './simulate.ts';
import type { World } from './world.ts';

/** How many smaller plans are tried to explain a failure. */
const MAX_SHRINKS = 80;

/** What became of one seed. */
export interface SeedResult {
  seed: number;
  /** What was wrong, of the smallest plan that still fails. Empty if nothing was. */
  violations: string[];
  /** The plan and history of a failure, or of any seed that is to be reported. Otherwise ''. */
  report: string;
  /** Leads from the seed to the smallest plan. */
  path: string;
  counts: Counts | undefined;
  /** What happened, for the counters. */
  reached: Reached;
  /** Sentences about posts that the model doesn't know, so that it checks nothing that they say. */
  unknownSentences: string[];
  /** Two runs of a seed are the same if this is the same. */
  digest: string;
}

/**
 * Runs the plan that a seed draws. If it fails, looks for a smaller plan that fails in the same way. With a path, runs the
 * smaller plan to which an earlier search has led. `isReported`: whether the report is wanted without a failure, too.
 */
export async function runSeed(
  world: World,
  seed: number,
  {
    path,
    isShrinking = true,
    isReported = false,
  }: { path?: string; isShrinking?: boolean; isReported?: boolean } = {},
): Promise<SeedResult> {
  let runCount = 0;
  let first:
    | (Pick<SimulationResult, 'history' | 'reached'> & { counts: Counts | undefined; plan: Plan })
    | undefined;
  let smallest: { result: Pick<SimulationResult, 'history' | 'violations'>; plan: Plan } | undefined;
  const details = await fc.check(
    // Without the bias towards small values, because the interesting plans are long.
    fc.asyncProperty(fc.noBias(plan), async (drawn) => {
      runCount += 1;
      // After the plan of a path, fast-check would go on with those that the earlier search has tried later.
      if (runCount > (path !== undefined && !smallest ? 1 : MAX_SHRINKS)) return;
      const result = await simulate(world, drawn, String(seed)).catch((error: unknown) => ({
        violations: [`the simulation itself failed: ${error instanceof Error ? error.stack : String(error)}`],
        history: world.history,
        counts: undefined,
        reached: {},
      }));
      first ??= { ...result, plan: drawn };
      const kind = smallest && toKind(smallest.result.violations[0] ?? '');
      if (!result.violations.some((violation) => kind === undefined || toKind(violation) === kind)) return;
      smallest = { result, plan: drawn };
      throw new Error('this plan fails');
    }),
    { seed, numRuns: 1, endOnFailure: !isShrinking, ...(path !== undefined && { path }) },
  );
  if (!first) throw new Error('no plan was run');
  const shown = smallest ? { plan: smallest.plan, history: smallest.result.history } : isReported && first;
  return {
    seed,
    violations: smallest?.result.violations ?? [],
    report: shown ? `${renderPlan(shown.plan)}\n\n${renderHistory(shown.history)}` : '',
    path: details.counterexamplePath ?? '',
    counts: first.counts,
    reached: first.reached,
    unknownSentences: listUnknownSentences(first.history),
    digest: digest(first.history),
  };
}

function listUnknownSentences(history: readonly Entry[]): string[] {
  return [
    ...new Set(history.flatMap((entry) => (entry.kind === 'shown' ? findUnknownSentences(entry) : []))),
  ];
}

function digest(history: readonly Entry[]): string {
  return createHash('sha256').update(JSON.stringify(history)).digest('hex').slice(0, 12);
}
