import { rm } from 'node:fs/promises';
import { performance } from 'node:perf_hooks';
import { z } from 'zod';
import { createDatabaseFolder } from '../support/database-folder.ts';
import { createOnPostgres } from '../support/databases.ts';
import { runInstances } from '../support/instances-run.ts';
import { startPostgres } from '../support/postgres.ts';
import { startProgram } from '../support/program.ts';

/**
 * Simulates two years of digests: 50 channels in 20 time zones, with daylight saving, restarts, kills, clock jumps,
 * faults of Slack and of the service, and people who change settings. The checks use only the settings, the clock and
 * the messages. Four half years run in parallel, each on its own clock. They overlap by two weeks. No work on a date
 * takes that long, so each date is processed completely in one of the half years.
 */

const HALF_YEARS = [
  { from: '2025-12-18T00:00:00Z', until: '2026-07-01T00:00:00Z', seed: 1 },
  { from: '2026-06-17T00:00:00Z', until: '2027-01-01T00:00:00Z', seed: 2 },
  { from: '2026-12-18T00:00:00Z', until: '2027-07-01T00:00:00Z', seed: 3 },
  { from: '2027-06-17T00:00:00Z', until: '2028-01-01T00:00:00Z', seed: 4 },
];
/** A period without faults, to measure delays. It contains the weeks in which most clocks change. */
const QUIET_PERIOD = { from: '2026-10-18T00:00:00Z', until: '2026-11-10T00:00:00Z', seed: 5 };
const CHANNEL_COUNT = 50;
const GRAIN_MS = 10_000;
/** Duration of the run with two instances that are killed repeatedly. An hour of their clock passes in a second. */
const INSTANCES_RUN_MS = 180_000;
const MAX_DELAY_MS = 60_000;

type BuildDatabaseUrl = (database: string) => string;

interface Period {
  from: string;
  until: string;
  seed: number;
  channels: number;
  hasFaults: boolean;
  grainMs: number;
}

export async function simulateDigests(): Promise<void> {
  const postgres = await startPostgres();
  const buildUrl: BuildDatabaseUrl | undefined = postgres && ((name) => postgres.url(name, 'postgres'));
  console.log(`  on ${postgres ? 'Postgres' : 'the built-in database'}`);
  const startedAt = performance.now();
  const options = { channels: CHANNEL_COUNT, hasFaults: true, grainMs: GRAIN_MS };
  const halfYears = await Promise.all(
    HALF_YEARS.map((halfYear) => simulate({ ...halfYear, ...options }, buildUrl)),
  );
  console.log(`  two years in ${formatMinutesSince(startedAt)} minutes`);
  const quietPeriod = await simulate(
    { ...QUIET_PERIOD, channels: CHANNEL_COUNT, hasFaults: false, grainMs: 1 },
    buildUrl,
  );
  const isPunctual = printDelays(quietPeriod.verdict.delays);
  const faultCount = [...halfYears, quietPeriod].reduce((sum, { verdict }) => sum + verdict.faults.length, 0);
  console.log(`  dates without an end, or with several: ${faultCount} (limit: 0)`);
  const instanceFaultCount = buildUrl ? await runTwoInstances(buildUrl) : printSkipped();
  await postgres?.stop();
  if (faultCount + instanceFaultCount > 0 || !isPunctual) process.exitCode = 1;
}

const verdictSchema = z.object({
  expected: z.number(),
  sent: z.number(),
  late: z.number(),
  outageLines: z.number(),
  missed: z.number(),
  silent: z.number(),
  paused: z.number(),
  delays: z.array(z.number()),
  faults: z.array(z.string()),
});
const counts = z.record(z.string(), z.number());
const simulationResult = z.object({
  verdict: verdictSchema,
  turns: z.number(),
  kills: z.number(),
  jumps: z.number(),
  minutes: z.number(),
  calls: counts,
  states: counts,
});

/** Simulates a period in its own process. */
async function simulate(
  period: Period,
  buildUrl: BuildDatabaseUrl | undefined,
): Promise<z.infer<typeof simulationResult>> {
  const database = buildUrl ? await createOnPostgres(buildUrl) : await createEmbeddedDatabase();
  const input = JSON.stringify({ ...period, database: database.url });
  const program = await startProgram(new URL('digests/half-year.ts', import.meta.url), input);
  for (;;) {
    const line = await program.readLine();
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
  const { expected, sent, late, outageLines, missed, silent, paused, faults } = result.verdict;
  const [from, until] = [period.from, period.until].map((instant) => instant.slice(0, 10));
  console.log(
    `  ${from} to ${until}: ${result.minutes.toFixed(1)} minutes, ${result.turns} polls, ${result.kills} kills during work, ${result.jumps} clock jumps; calls to Slack: ${JSON.stringify(result.calls)}`,
  );
  console.log(
    `    ${expected} dates: ${sent} sent (${late} late), ${outageLines} notices that the service was down, ${missed} missed and notified, ${silent} silent, ${paused} paused and notified; rows: ${JSON.stringify(result.states)}`,
  );
  for (const fault of faults.slice(0, 20)) console.log(`    FAULT ${fault}`);
}

/** Prints percentiles of the delays of messages. Returns true if all delays are within the limit. */
function printDelays(delays: readonly number[]): boolean {
  const sorted = delays.toSorted((a, b) => a - b);
  const formatPercentile = (share: number) =>
    `${((sorted[Math.ceil(sorted.length * share) - 1] ?? 0) / 1000).toFixed(1)} s`;
  console.log(
    `  delays without faults, ${sorted.length} digests: p50 ${formatPercentile(0.5)}, p90 ${formatPercentile(0.9)}, p99 ${formatPercentile(0.99)}, max ${formatPercentile(1)} (limit: ${MAX_DELAY_MS / 1000} s)`,
  );
  return sorted.length > 0 && (sorted.at(-1) ?? 0) <= MAX_DELAY_MS;
}

/** Runs two instances with the practice workspace, and returns the number of faults. */
async function runTwoInstances(buildUrl: BuildDatabaseUrl): Promise<number> {
  const database = await createOnPostgres(buildUrl);
  const { verdict, kills, questionCount } = await runInstances({
    database: database.url,
    durationMs: INSTANCES_RUN_MS,
    seed: 6,
  });
  await database.close();
  const { expected, sent, missed, faults } = verdict;
  console.log(
    `  two instances, ${kills} kills, ${expected} dates: ${sent} sent, ${missed} missed and notified, ${questionCount} questions to the owner; without an end, or with several: ${faults.length} (limit: 0)`,
  );
  for (const fault of faults.slice(0, 20)) console.log(`    FAULT ${fault}`);
  return faults.length;
}

function printSkipped(): number {
  console.log('  two instances: not run, no Postgres');
  return 0;
}

async function createEmbeddedDatabase(): Promise<{ url: string; close(): Promise<void> }> {
  const folder = await createDatabaseFolder();
  return { url: folder, close: () => rm(folder, { recursive: true }) };
}

function formatMinutesSince(startedAt: number): string {
  return ((performance.now() - startedAt) / 60_000).toFixed(1);
}
