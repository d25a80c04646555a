import { type ChildProcess, fork } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { failWithUsage, readArguments } from '../../src/start/run.ts';
import type { SeedResult } from './run-seed.ts';

const USAGE = `Usage: npm run simulate -- [--seeds N] [--seed S] [--path P] [--twice]

Runs the whole app in simulated worlds in which everything may fail, and checks what people read and what the service
gets. Each seed is another world.

  --seeds N   how many seeds to run. Defaults to 100
  --seed S    the first seed. Defaults to a random one
  --path P    with --seed: the smaller world that an earlier search has found
  --twice     runs all seeds once more, in another process and order, and compares the histories

Settings: none.

Example: npm run simulate -- --seeds 1000
         npm run simulate -- --seed 17 --seeds 1`;

/** A process runs so many seeds, and is then replaced, because its database grows. */
const SEEDS_PER_PROCESS = 200;
const PROGRESS_MS = 10_000;
/** After so many kinds of failures the run ends. */
const MAX_KINDS = 12;
const REPORTS = join(import.meta.dirname, '../../.cache/simulations');

const now = () => Number(process.hrtime.bigint()) / 1e6;

interface Job {
  seed: number;
  path?: string;
  isShrinking: boolean;
}

/** Runs seeds in this process, one after the other, as the parent process sends them. */
async function runWorker(): Promise<void> {
  const { openWorld } = await import('./world.ts');
  const { runSeed } = await import('./run-seed.ts');
  const world = await openWorld();
  process.on('unhandledRejection', (error) => world.fail(`unhandled rejection: ${describe(error)}`));
  process.on('uncaughtException', (error) => world.fail(`uncaught exception: ${describe(error)}`));
  process.on('message', ({ seed, ...options }: Job) => {
    runSeed(world, seed, options).then(
      (result) => process.send?.(result),
      (error: unknown) => {
        process.send?.({
          seed,
          violations: [describe(error)],
          report: '',
          path: '',
          digest: '',
          counts: undefined,
          unknownSentences: [],
        });
      },
    );
  });
  // Without its parent, nobody reads the results.
  process.on('disconnect', () => process.exit());
  process.send?.('ready');
}

const describe = (error: unknown) =>
  error instanceof Error ? (error.stack ?? error.message) : String(error);

async function startWorker(): Promise<ChildProcess> {
  const worker = fork(import.meta.filename, ['--worker'], {
    execArgv: ['--max-old-space-size=1500'],
    env: { ...process.env, TZ: 'UTC' },
  });
  await once(worker, 'message');
  return worker;
}

async function runJob(worker: ChildProcess, job: Job): Promise<SeedResult> {
  const end = new AbortController();
  const { signal } = end;
  worker.send(job);
  try {
    return await Promise.race([
      once(worker, 'message', { signal }).then(([result]: SeedResult[]) => result ?? fail(job, 'no result')),
      once(worker, 'exit', { signal }).then(([code]) => fail(job, `its process ended with ${String(code)}`)),
    ]);
  } finally {
    end.abort();
  }
}

/** The result of a seed that could not be run to its end. */
function fail({ seed }: Job, reason: string): SeedResult {
  return {
    seed,
    violations: [reason],
    report: '',
    path: '',
    digest: '',
    counts: undefined,
    unknownSentences: [],
  };
}

interface RunOptions {
  first: number;
  seeds: number;
  path: string | undefined;
  isTwice: boolean;
}

async function run({ first, seeds, path, isTwice }: RunOptions): Promise<number> {
  const startedAt = now();
  const kinds = new Map<string, { count: number; seed: number }>();
  const unknown = new Map<string, number>();
  const totals = { seeds: 0, posts: 0, applied: 0, failed: 0 };
  let [next, lastProgressAt] = [first, startedAt];
  const { toKind } = await import('./kind.ts');
  const report = (result: SeedResult) => {
    totals.seeds += 1;
    totals.posts += result.counts?.posts ?? 0;
    totals.applied += result.counts?.applied ?? 0;
    if (result.violations.length > 0) totals.failed += 1;
    for (const sentence of result.unknownSentences)
      if (!unknown.has(sentence)) unknown.set(sentence, result.seed);
    const found = new Set(result.violations.map(toKind));
    if ([...found].some((kind) => !kinds.has(kind))) printFailure(result, { isWhole: seeds === 1 });
    for (const kind of found) {
      const known = kinds.get(kind);
      kinds.set(kind, { seed: result.seed, ...known, count: (known?.count ?? 0) + 1 });
    }
    if (now() - lastProgressAt < PROGRESS_MS && totals.seeds < seeds) return;
    lastProgressAt = now();
    const perSecond = totals.seeds / ((now() - startedAt) / 1000);
    console.log(
      `${totals.seeds} of ${seeds} seeds, ${perSecond.toFixed(1)} a second; ${totals.posts} posts, ${totals.applied} at the service; ${totals.failed} seeds failed in ${kinds.size} ways`,
    );
  };
  const toJob = (seed: number): Job => ({ seed, isShrinking: false, ...(path !== undefined && { path }) });
  const digests = new Map<number, string>();
  const runLane = async () => {
    let worker = await startWorker();
    for (let count = 1; next < first + seeds && kinds.size < MAX_KINDS; count += 1) {
      const seed = next;
      next += 1;
      let result = await runJob(worker, toJob(seed));
      digests.set(seed, result.digest);
      // Only the first failure of a kind is worth the time.
      if (result.violations.some((violation) => !kinds.has(toKind(violation))) && !isTwice)
        result = await runJob(worker, { ...toJob(seed), isShrinking: true });
      report(result);
      if (worker.connected && count % SEEDS_PER_PROCESS !== 0) continue;
      worker.kill();
      worker = await startWorker();
    }
    worker.kill();
  };
  const lanes = Math.min(seeds, Math.max(1, availableParallelism()));
  await Promise.all(Array.from({ length: lanes }, runLane));
  if (isTwice)
    console.log(
      `${await countDifferent(digests, toJob)} of ${digests.size} seeds have another history when they are repeated`,
    );
  for (const [sentence, seed] of unknown)
    console.log(`  unknown to the model: ${sentence} (first: seed ${seed})`);
  for (const [kind, { count, seed }] of kinds) console.log(`  ${count} × ${kind} (first: seed ${seed})`);
  return totals.failed;
}

/** Runs seeds once more, in another process and in the reverse order, and counts those with another history. */
async function countDifferent(
  digests: ReadonlyMap<number, string>,
  toJob: (seed: number) => Job,
): Promise<number> {
  const worker = await startWorker();
  let count = 0;
  for (const seed of [...digests.keys()].toReversed())
    if ((await runJob(worker, toJob(seed))).digest !== digests.get(seed)) count += 1;
  worker.kill();
  return count;
}

/** Prints what was wrong and how to see it again, and the whole history of a single seed. */
function printFailure(
  { seed, violations, report, path }: SeedResult,
  { isWhole }: { isWhole: boolean },
): void {
  mkdirSync(REPORTS, { recursive: true });
  const file = join(REPORTS, `seed-${seed}.txt`);
  const lines = violations.map((violation) => `  ${violation}`).join('\n');
  writeFileSync(file, `Seed ${seed}\n${lines}\n\n${report}\n`);
  console.log(`${isWhole ? `${report}\n\n` : ''}✗ seed ${seed}:\n${lines}`);
  console.log(`  history: ${file}`);
  console.log(`  again: npm run simulate -- --seed ${seed} --seeds 1${path === '' ? '' : ` --path ${path}`}`);
}

if (process.argv.includes('--worker')) await runWorker();
else {
  const { values } = readArguments(USAGE, {
    options: {
      seeds: { type: 'string', default: '100' },
      seed: { type: 'string' },
      path: { type: 'string' },
      twice: { type: 'boolean', default: false },
    },
  });
  const seeds = Number(values.seeds);
  const first = values.seed === undefined ? randomInt(1_000_000_000) : Number(values.seed);
  if (!Number.isSafeInteger(seeds) || seeds < 1) failWithUsage(USAGE, '--seeds must be a positive number');
  if (!Number.isSafeInteger(first)) failWithUsage(USAGE, '--seed must be a whole number');
  const failed = await run({ first, seeds, path: values.path, isTwice: values.twice });
  console.log(failed === 0 ? 'No seed failed.' : `${failed} seeds failed.`);
  process.exitCode = failed === 0 ? 0 : 1;
}
