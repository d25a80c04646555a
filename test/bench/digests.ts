import { rm } from 'node:fs/promises';
import { performance } from 'node:perf_hooks';
import { z } from 'zod';
import { newDatabaseFolder } from '../support/database-folder.ts';
import { createOnPostgres } from '../support/databases.ts';
import { runInstances } from '../support/instances-run.ts';
import { startPostgres } from '../support/postgres.ts';
import { startProgram } from '../support/program.ts';

/**
 * Simulates two years of digests: 50 channels in 20 time zones, with clock changes, restarts, kills, clock jumps,
 * faults of Slack and of the service, and people who change settings. The checks use only the settings, the clock and
 * the messages. Four half years run in parallel, each on its own clock. They overlap by two weeks, which is longer
 * than the work on any date, so each date is processed completely in one of them.
 */

const HALF_YEARS = [
  { from: '2025-12-18T00:00:00Z', until: '2026-07-01T00:00:00Z', seed: 1 },
  { from: '2026-06-17T00:00:00Z', until: '2027-01-01T00:00:00Z', seed: 2 },
  { from: '2026-12-18T00:00:00Z', until: '2027-07-01T00:00:00Z', seed: 3 },
  { from: '2027-06-17T00:00:00Z', until: '2028-01-01T00:00:00Z', seed: 4 },
];
/** A period without faults, to measure delays. It contains the weeks in which most clocks change. */
const QUIET = { from: '2026-10-18T00:00:00Z', until: '2026-11-10T00:00:00Z', seed: 5 };
const CHANNELS = 50;
const GRAIN_MS = 10_000;
/** Duration of the run in which two instances are killed repeatedly. An hour of their clock passes in a second. */
const INSTANCES_MS = 180_000;
const MAX_DELAY_MS = 60_000;

type DatabaseUrl = (database: string) => string;

interface Period {
  from: string;
  until: string;
  seed: number;
  channels: number;
  isTroubled: boolean;
  grainMs: number;
}

export async function digests(): Promise<void> {
  const postgres = await startPostgres();
  const url: DatabaseUrl | undefined = postgres && ((name) => postgres.url(name, 'postgres'));
  console.log(`  on ${postgres ? 'Postgres' : 'the built-in database'}`);
  const startedAt = performance.now();
  const options = { channels: CHANNELS, isTroubled: true, grainMs: GRAIN_MS };
  const halves = await Promise.all(HALF_YEARS.map((half) => simulate({ ...half, ...options }, url)));
  console.log(`  two years in ${formatMinutes(startedAt)} minutes`);
  const quiet = await simulate({ ...QUIET, channels: CHANNELS, isTroubled: false, grainMs: 1 }, url);
  const isPunctual = printDelays(quiet.verdict.delays);
  const faults = [...halves, quiet].reduce((sum, { verdict }) => sum + verdict.faults.length, 0);
  console.log(`  dates without an end, or with several: ${faults} (limit: 0)`);
  const instanceFaults = url ? await runTwoInstances(url) : printNotRun();
  await postgres?.stop();
  if (faults + instanceFaults > 0 || !isPunctual) process.exitCode = 1;
}

const verdict = z.object({
  ...{ expected: z.number(), posted: z.number(), late: z.number(), lines: z.number(), missed: z.number() },
  ...{ silent: z.number(), paused: z.number(), delays: z.array(z.number()), faults: z.array(z.string()) },
});
const counts = z.record(z.string(), z.number());
const simulationResult = z.object({
  ...{ verdict, turns: z.number(), kills: z.number(), jumps: z.number(), minutes: z.number() },
  ...{ calls: counts, states: counts },
});

/** Simulates a period in its own process. */
async function simulate(
  period: Period,
  url: DatabaseUrl | undefined,
): Promise<z.infer<typeof simulationResult>> {
  const database = url ? await createOnPostgres(url) : await createEmbeddedDatabase();
  const input = JSON.stringify({ ...period, database: database.url });
  const program = await startProgram(new URL('digests/half-year.ts', import.meta.url), input);
  for (;;) {
    const line = await program.line();
    if (!line.startsWith('{')) {
      console.log(line);
      continue;
    }
    const result = simulationResult.parse(JSON.parse(line));
    await program.kill();
    await database.close();
    printPeriod(period, result);
    return result;
  }
}

function printPeriod(period: Period, result: z.infer<typeof simulationResult>): void {
  const { expected, posted, late, lines, missed, silent, paused, faults } = result.verdict;
  const [from, until] = [period.from, period.until].map((moment) => moment.slice(0, 10));
  console.log(
    `  ${from} to ${until}: ${result.minutes.toFixed(1)} minutes, ${result.turns} polls, ${result.kills} kills during work, ${result.jumps} clock jumps; calls to Slack: ${JSON.stringify(result.calls)}`,
  );
  console.log(
    `    ${expected} dates: ${posted} posted (${late} late), ${lines} notices that the service was down, ${missed} missed and notified, ${silent} silent, ${paused} paused and notified; rows: ${JSON.stringify(result.states)}`,
  );
  for (const fault of faults.slice(0, 20)) console.log(`    FAULT ${fault}`);
}

/** Prints percentiles of the delays from the due time to the message. Returns whether all are within the limit. */
function printDelays(delays: readonly number[]): boolean {
  const sorted = delays.toSorted((a, b) => a - b);
  const formatPercentile = (share: number) =>
    `${((sorted[Math.ceil(sorted.length * share) - 1] ?? 0) / 1000).toFixed(1)} s`;
  console.log(
    `  delays without faults, ${sorted.length} digests: p50 ${formatPercentile(0.5)}, p90 ${formatPercentile(0.9)}, p99 ${formatPercentile(0.99)}, max ${formatPercentile(1)} (limit: ${MAX_DELAY_MS / 1000} s)`,
  );
  return sorted.length > 0 && (sorted.at(-1) ?? 0) <= MAX_DELAY_MS;
}

/** Runs two instances on the real clock, with the practice workspace. */
async function runTwoInstances(url: DatabaseUrl): Promise<number> {
  const database = await createOnPostgres(url);
  const { verdict, kills, uncertain } = await runInstances({
    database: database.url,
    ms: INSTANCES_MS,
    seed: 6,
  });
  await database.close();
  const { expected, posted, missed, faults } = verdict;
  console.log(
    `  two instances, ${kills} kills, ${expected} dates: ${posted} posted, ${missed} missed and notified, ${uncertain} questions to the owner; without an end, or with several: ${faults.length} (limit: 0)`,
  );
  for (const fault of faults.slice(0, 20)) console.log(`    FAULT ${fault}`);
  return faults.length;
}

function printNotRun(): number {
  console.log('  two instances: not run, no Postgres');
  return 0;
}

async function createEmbeddedDatabase(): Promise<{ url: string; close(): Promise<void> }> {
  const folder = await newDatabaseFolder();
  return { url: folder, close: () => rm(folder, { recursive: true }) };
}

function formatMinutes(since: number): string {
  return ((performance.now() - since) / 60_000).toFixed(1);
}
