import { type ChildProcess, fork } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { failWithUsage, readArguments } from '../../src/start/run.ts';
import { FAULTS, type Fault } from './planted/faults.ts';
import { findMechanisms } from './planted/find-mechanisms.ts';
import { plant } from './planted/plant.ts';
import { addReached, listExpected, listUnmatched, type Reached } from './reached.ts';
import type { SeedResult } from './run-seed.ts';
import { isSetUp } from './saved-set-up.ts';

const USAGE = `Usage: npm run simulate -- [--seeds N] [--seed S] [--path P] [--twice | --planted [--only TEXT]]

Runs the whole app in simulated worlds in which everything may fail, and checks what people read and what the service
gets. Each seed is another world.

  --seeds N   how many seeds to run. Defaults to 100
  --seed S    the first seed. Defaults to a random one. Several, separated by commas, are run without others
  --path P    with --seed: the smaller world that an earlier search has found
  --twice     runs all seeds again in other processes and the reverse order, and compares the histories
  --reached   prints how often the seeds reached what, for 1,000 of them, and what they never did
  --planted   tries whether the simulator finds faults that are planted in the app, one at a time: each seed until one
              fails. --only TEXT leaves out the faults whose names don't have this

Settings: none.

Example: npm run simulate -- --seeds 1000
         npm run simulate -- --seed 17 --seeds 1`;

/** A process runs so many seeds, and is then replaced, because its database grows. */
const SEEDS_PER_PROCESS = 200;
const PROGRESS_MS = 10_000;
/** After so many kinds of failures the run ends. */
const MAX_KINDS = 12;
/** Caches what Node compiles. */
const PREPARATION = join(import.meta.dirname, '../../src/start/prepare-node.cjs');
const REPORTS = join(import.meta.dirname, '../../.cache/simulations');

const now = () => Number(process.hrtime.bigint()) / 1e6;

interface Job {
  seed: number;
  path?: string;
  isShrinking: boolean;
  isReported?: boolean;
}

/** Runs seeds in this process, one after the other, as the parent process sends them. */
async function runWorker(): Promise<void> {
  const fault = FAULTS.find(({ name }) => name === process.env.PLANTED);
  // Before any of the app's modules is loaded.
  if (fault) plant(fault);
  const { openWorld } = await import('./world.ts');
  const { runSeed } = await import('./run-seed.ts');
  const world = await openWorld();
  process.on('unhandledRejection', (error) => world.fail(`unhandled rejection: ${describe(error)}`));
  process.on('uncaughtException', (error) => world.fail(`uncaught exception: ${describe(error)}`));
  process.on('message', ({ seed, ...options }: Job) => {
    runSeed(world, seed, options).then(
      (result) => process.send?.(result),
      (error: unknown) => {
        process.send?.(fail({ seed }, describe(error)));
      },
    );
  });
  // Without its parent, nobody reads the results.
  process.on('disconnect', () => process.exit());
  process.send?.('ready');
}

const describe = (error: unknown) =>
  error instanceof Error ? (error.stack ?? error.message) : String(error);

async function startWorker(fault?: Fault): Promise<ChildProcess> {
  const worker = fork(import.meta.filename, ['--worker'], {
    execArgv: ['--require', PREPARATION, '--max-old-space-size=1500'],
    env: { ...process.env, TZ: 'UTC', ...(fault && { PLANTED: fault.name }) },
  });
  await once(worker, 'message');
  return worker;
}

/** Sets up the database that all workers begin with, without a planted fault. */
async function prepare(): Promise<void> {
  if (!isSetUp()) (await startWorker()).kill();
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
function fail({ seed }: Pick<Job, 'seed'>, reason: string): SeedResult {
  return {
    seed,
    violations: [reason],
    report: '',
    path: '',
    digest: '',
    counts: undefined,
    reached: {},
    unknownSentences: [],
  };
}

interface RunOptions {
  seeds: readonly number[];
  path: string | undefined;
  isTwice: boolean;
  printsReached: boolean;
}

async function run({ seeds, path, isTwice, printsReached }: RunOptions): Promise<number> {
  await prepare();
  const startedAt = now();
  const kinds = new Map<string, { count: number; seed: number }>();
  const unknown = new Map<string, number>();
  const totals = { seeds: 0, posts: 0, applied: 0, failed: 0 };
  let reached: Reached = {};
  const waiting = [...seeds];
  let lastProgressAt = startedAt;
  const { toKind } = await import('./kind.ts');
  const report = (result: SeedResult) => {
    totals.seeds += 1;
    totals.posts += result.counts?.posts ?? 0;
    totals.applied += result.counts?.applied ?? 0;
    reached = addReached(reached, result.reached);
    if (result.violations.length > 0) totals.failed += 1;
    for (const sentence of result.unknownSentences)
      if (!unknown.has(sentence)) unknown.set(sentence, result.seed);
    const found = new Set(result.violations.map(toKind));
    if ([...found].some((kind) => !kinds.has(kind))) printFailure(result);
    else if (seeds.length === 1) console.log(`  history: ${writeReport(result)}`);
    for (const kind of found) {
      const known = kinds.get(kind);
      kinds.set(kind, { seed: result.seed, ...known, count: (known?.count ?? 0) + 1 });
    }
    if (now() - lastProgressAt < PROGRESS_MS && totals.seeds < seeds.length) return;
    lastProgressAt = now();
    const perSecond = totals.seeds / ((now() - startedAt) / 1000);
    console.log(
      `${totals.seeds} of ${seeds.length} seeds, ${perSecond.toFixed(1)} a second; ${totals.posts} posts, ${totals.applied} at the service; ${totals.failed} seeds failed in ${kinds.size} ways`,
    );
  };
  const toJob = (seed: number): Job => ({
    ...{ seed, isShrinking: false, isReported: seeds.length === 1 },
    ...(path !== undefined && { path }),
  });
  const digests = new Map<number, string>();
  const runLane = async () => {
    let worker = await startWorker();
    for (let count = 1; kinds.size < MAX_KINDS; count += 1) {
      const seed = waiting.shift();
      if (seed === undefined) break;
      const result = await runJob(worker, toJob(seed));
      digests.set(seed, result.digest);
      // Only the first failure of a kind is worth the time.
      const isNew = result.violations.some((violation) => !kinds.has(toKind(violation)));
      report(result);
      if (isNew && !isTwice && path === undefined) await explain(result);
      if (worker.connected && count % SEEDS_PER_PROCESS !== 0) continue;
      worker.kill();
      worker = await startWorker();
    }
    worker.kill();
  };
  const lanes = Math.min(seeds.length, Math.max(1, availableParallelism()));
  await Promise.all(Array.from({ length: lanes }, runLane));
  if (isTwice) {
    const differing = await findDifferent(digests, { toJob, lanes });
    console.log(
      `${differing.length} of ${digests.size} seeds have another history when they are repeated: ${differing.join(' ')}`,
    );
  }
  for (const [sentence, seed] of unknown)
    console.log(`  unknown to the model: ${sentence} (first: seed ${seed})`);
  for (const [kind, { count, seed }] of kinds) console.log(`  ${count} × ${kind} (first: seed ${seed})`);
  if (printsReached) printReached(reached, totals.seeds);
  const unmatched = listUnmatched(reached, totals.seeds);
  for (const rule of unmatched) console.log(`✗ a rule of the model never had anything to check: ${rule}`);
  return totals.failed + unmatched.length;
}

function printReached(reached: Reached, seeds: number): void {
  for (const [what, count] of Object.entries(reached))
    console.log(`  ${((count * 1000) / seeds).toFixed(0).padStart(7)} ${what}`);
  for (const what of listExpected()) if (reached[what] === undefined) console.log(`    never ${what}`);
}

/** Runs one job in a process of its own, in which nothing of earlier seeds is left. */
async function runAlone(job: Job): Promise<SeedResult> {
  const worker = await startWorker();
  try {
    return await runJob(worker, job);
  } finally {
    worker.kill();
  }
}

/**
 * Looks for the smallest world with the failure of a seed, and prints a command that shows it again. What was found first
 * stays reported, whatever becomes of the search.
 */
async function explain(first: SeedResult): Promise<void> {
  const { seed } = first;
  const { toKind } = await import('./kind.ts');
  const kinds = new Set(first.violations.map(toKind));
  const failsAgain = async (job: Job) =>
    (await runAlone(job)).violations.some((one) => kinds.has(toKind(one)));
  const smaller = await runAlone({ seed, isShrinking: true });
  const isSmaller = smaller.path !== '' && smaller.violations.some((one) => kinds.has(toKind(one)));
  const again = `  again: npm run simulate -- --seed ${seed} --seeds 1`;
  if (isSmaller && (await failsAgain({ seed, path: smaller.path, isShrinking: false }))) {
    writeReport(smaller);
    console.log(`${again} --path ${smaller.path}`);
  } else if (await failsAgain({ seed, isShrinking: false })) console.log(again);
  else console.log('  not again: alone in a process it doesn’t fail, so two runs of a seed differ');
}

/** Runs seeds once more, in other processes and in the reverse order, and finds those with another history. */
async function findDifferent(
  digests: ReadonlyMap<number, string>,
  { toJob, lanes }: { toJob: (seed: number) => Job; lanes: number },
): Promise<number[]> {
  const waiting = [...digests.keys()].toReversed();
  const differing: number[] = [];
  const runLane = async () => {
    const worker = await startWorker();
    for (let seed = waiting.shift(); seed !== undefined; seed = waiting.shift())
      if ((await runJob(worker, toJob(seed))).digest !== digests.get(seed)) differing.push(seed);
    worker.kill();
  };
  await Promise.all(Array.from({ length: lanes }, runLane));
  return differing;
}

/** Runs seeds with each planted fault until one fails. Resolves with how many faults no seed has found. */
async function runPlanted(seeds: readonly number[], only: string): Promise<number> {
  await prepare();
  const { toKind } = await import('./kind.ts');
  const faults = FAULTS.filter(({ name }) => name.includes(only));
  const app = createAppWithoutFaults();
  const { drawMechanisms } = await import('./plan.ts');
  const plans = seeds.map((seed, index) => ({ seed, index, mechanisms: drawMechanisms(seed) }));
  let [next, missed] = [0, 0];
  const runLane = async () => {
    for (let fault = faults[next++]; fault; fault = faults[next++]) {
      const worker = await startWorker(fault);
      let found: string | undefined;
      const mechanisms = findMechanisms(fault);
      const isNear = (plan: (typeof plans)[number]) =>
        plan.mechanisms.some((one) => mechanisms.includes(one));
      // All count, so the order only saves time.
      for (const { seed, index } of plans.toSorted((a, b) => Number(isNear(b)) - Number(isNear(a)))) {
        if (found !== undefined) break;
        const { violations } = await runJob(worker, { seed, isShrinking: false });
        if (violations.length === 0) continue;
        // What the app does wrong without the fault finds nothing.
        const own = new Set((await app.run(seed)).violations.map(toKind));
        const kind = violations.map(toKind).find((each) => !own.has(each));
        if (kind !== undefined) found = `seed ${index + 1}: ${kind}`;
        else console.log(`  seed ${seed} fails without the fault too: ${[...own].join('; ')}`);
      }
      worker.kill();
      if (found === undefined) missed += 1;
      console.log(
        `  ${found === undefined ? '✗' : '✓'} ${fault.name.padEnd(78)} ${found ?? `not in ${seeds.length} seeds`}`,
      );
    }
  };
  await Promise.all(Array.from({ length: Math.max(1, availableParallelism()) }, runLane));
  await app.end();
  console.log(
    `${faults.length - missed} of ${faults.length} planted faults found within ${seeds.length} seeds`,
  );
  return missed;
}

/** Runs seeds without a planted fault, each once, for all faults in one process. */
function createAppWithoutFaults() {
  const results = new Map<number, Promise<SeedResult>>();
  let worker: Promise<ChildProcess> | undefined;
  let last: Promise<unknown> = Promise.resolve();
  return {
    run(seed: number): Promise<SeedResult> {
      worker ??= startWorker();
      const running = worker;
      const result =
        results.get(seed) ?? last.then(async () => runJob(await running, { seed, isShrinking: false }));
      results.set(seed, result);
      last = result;
      return result;
    },
    end: async () => (await worker)?.kill(),
  };
}

/** Prints what was wrong, and the file with the history. */
function printFailure(result: SeedResult): void {
  const { seed, violations } = result;
  const lines = violations.map((violation) => `  ${violation}`).join('\n');
  console.log(`✗ seed ${seed}:\n${lines}`);
  console.log(`  history: ${writeReport(result)}`);
}

/** Writes the history of a failure, and returns the name of the file. */
function writeReport({ seed, violations, report }: SeedResult): string {
  mkdirSync(REPORTS, { recursive: true });
  const file = join(REPORTS, `seed-${seed}.txt`);
  writeFileSync(file, `Seed ${seed}\n${violations.map((line) => `  ${line}`).join('\n')}\n\n${report}\n`);
  return file;
}

if (process.argv.includes('--worker')) await runWorker();
else {
  const { values } = readArguments(USAGE, {
    options: {
      seeds: { type: 'string', default: '100' },
      seed: { type: 'string' },
      path: { type: 'string' },
      twice: { type: 'boolean', default: false },
      planted: { type: 'boolean', default: false },
      only: { type: 'string', default: '' },
      reached: { type: 'boolean', default: false },
    },
  });
  const count = Number(values.seeds);
  if (!Number.isSafeInteger(count) || count < 1) failWithUsage(USAGE, '--seeds must be a positive number');
  const [first = randomInt(1_000_000_000), ...others] = values.seed?.split(',').map(Number) ?? [];
  const seeds =
    others.length > 0 ? [first, ...others] : Array.from({ length: count }, (_, index) => first + index);
  if (!seeds.every(Number.isSafeInteger)) failWithUsage(USAGE, '--seed must be a whole number');
  if (values.planted) {
    process.exitCode = (await runPlanted(seeds, values.only)) === 0 ? 0 : 1;
    process.exit();
  }
  const { path, twice: isTwice, reached: printsReached } = values;
  const failed = await run({ seeds, path, isTwice, printsReached });
  console.log(failed === 0 ? 'No seed failed.' : `${failed} seeds or rules failed.`);
  process.exitCode = failed === 0 ? 0 : 1;
}
