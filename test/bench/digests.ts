import { rm } from 'node:fs/promises';
import { performance } from 'node:perf_hooks';
import { z } from 'zod';
import { newDatabaseFolder } from '../support/database-folder.ts';
import { createOnPostgres } from '../support/databases.ts';
import { runInstances } from '../support/instances-run.ts';
import { startPostgres } from '../support/postgres.ts';
import { startProgram } from '../support/program.ts';

/**
 * Two years of digests on clocks of their own: 50 channels with one digest for each of 20 zones, every clock change,
 * restarts, kills, jumps of the clock, faults of Slack and of the service, and people who change things. What must
 * have been posted is judged from the settings and the messages alone. Side by side in half years that overlap by two
 * weeks, longer than anything goes on for one date: each date is lived through in the midst of one.
 */

const HALVES = [
  { from: '2025-12-18T00:00:00Z', until: '2026-07-01T00:00:00Z', seed: 1 },
  { from: '2026-06-17T00:00:00Z', until: '2027-01-01T00:00:00Z', seed: 2 },
  { from: '2026-12-18T00:00:00Z', until: '2027-07-01T00:00:00Z', seed: 3 },
  { from: '2027-06-17T00:00:00Z', until: '2028-01-01T00:00:00Z', seed: 4 },
];
/** Nothing is in the way: how soon each comes; with the weeks in which most clocks change. */
const QUIET = { from: '2026-10-18T00:00:00Z', until: '2026-11-10T00:00:00Z', seed: 5 };
const CHANNELS = 50;
const GRAIN_MS = 10_000;
/** Two instances are killed again and again for so long; an hour in a second. */
const INSTANCES_MS = 180_000;
const WANTED_MS = 60_000;

type Url = (database: string) => string;

interface Stretch {
  from: string;
  until: string;
  seed: number;
  channels: number;
  isTroubled: boolean;
  grainMs: number;
}

export async function digests(): Promise<void> {
  const postgres = await startPostgres();
  const url: Url | undefined = postgres && ((name) => postgres.url(name, 'postgres'));
  console.log(`  on ${postgres ? 'Postgres' : 'the embedded database'}`);
  const began = performance.now();
  const troubled = { channels: CHANNELS, isTroubled: true, grainMs: GRAIN_MS };
  const halves = await Promise.all(HALVES.map((half) => liveThrough({ ...half, ...troubled }, url)));
  console.log(`  two years in ${minutes(began)} minutes`);
  const quiet = await liveThrough({ ...QUIET, channels: CHANNELS, isTroubled: false, grainMs: 1 }, url);
  const isSoon = sayHowSoon(quiet.verdict.delays);
  const faults = [...halves, quiet].reduce((sum, { verdict }) => sum + verdict.faults.length, 0);
  console.log(`  dates with no end, or more than one: ${faults} (wanted: 0)`);
  const killed = url ? await twoInstances(url) : sayThereIsNone();
  await postgres?.stop();
  if (faults + killed > 0 || !isSoon) process.exitCode = 1;
}

const verdict = z.object({
  ...{ expected: z.number(), posted: z.number(), late: z.number(), lines: z.number(), missed: z.number() },
  ...{ silent: z.number(), paused: z.number(), delays: z.array(z.number()), faults: z.array(z.string()) },
});
const counts = z.record(z.string(), z.number());
const foundHere = z.object({
  ...{ verdict, turns: z.number(), kills: z.number(), jumps: z.number(), minutes: z.number() },
  ...{ calls: counts, states: counts },
});

/** A stretch of time, in a process of its own. */
async function liveThrough(stretch: Stretch, url: Url | undefined): Promise<z.infer<typeof foundHere>> {
  const database = url ? await createOnPostgres(url) : await embedded();
  const given = JSON.stringify({ ...stretch, database: database.url });
  const program = await startProgram(new URL('digests/half-year.ts', import.meta.url), given);
  for (;;) {
    const line = await program.line();
    if (!line.startsWith('{')) {
      console.log(line);
      continue;
    }
    const found = foundHere.parse(JSON.parse(line));
    await program.kill();
    await database.close();
    say(stretch, found);
    return found;
  }
}

function say(stretch: Stretch, found: z.infer<typeof foundHere>): void {
  const { expected, posted, late, lines, missed, silent, paused, faults } = found.verdict;
  const [from, until] = [stretch.from, stretch.until].map((moment) => moment.slice(0, 10));
  console.log(
    `  ${from} to ${until}: ${found.minutes.toFixed(1)} minutes, ${found.turns} turns, ${found.kills} kills in the middle of something, ${found.jumps} jumps of the clock; Slack was asked ${JSON.stringify(found.calls)}`,
  );
  console.log(
    `    ${expected} dates came: ${posted} posted (${late} of them late), ${lines} lines that the service was down, ${missed} missed and told, ${silent} silent, ${paused} paused and told; rows: ${JSON.stringify(found.states)}`,
  );
  for (const fault of faults.slice(0, 20)) console.log(`    FAULT ${fault}`);
}

/** From the moment to the message, ms. */
function sayHowSoon(delays: readonly number[]): boolean {
  const sorted = delays.toSorted((a, b) => a - b);
  const at = (share: number) =>
    `${((sorted[Math.ceil(sorted.length * share) - 1] ?? 0) / 1000).toFixed(1)} s`;
  console.log(
    `  on quiet days ${sorted.length} came after ${at(0.5)} in the middle, ${at(0.9)} for 90 %, ${at(0.99)} for 99 %, ${at(1)} at most (wanted: within ${WANTED_MS / 1000} s)`,
  );
  return sorted.length > 0 && (sorted.at(-1) ?? 0) <= WANTED_MS;
}

/** On the real clock, and the practice workspace. */
async function twoInstances(url: Url): Promise<number> {
  const database = await createOnPostgres(url);
  const { verdict, kills, uncertain } = await runInstances({
    database: database.url,
    ms: INSTANCES_MS,
    seed: 6,
  });
  await database.close();
  const { expected, posted, missed, faults } = verdict;
  console.log(
    `  two instances, ${kills} times one of them killed: ${expected} dates came: ${posted} posted, ${missed} missed and told, ${uncertain} times the owner was asked; no end or more than one: ${faults.length} (wanted: 0)`,
  );
  for (const fault of faults.slice(0, 20)) console.log(`    FAULT ${fault}`);
  return faults.length;
}

function sayThereIsNone(): number {
  console.log('  two instances: not run, there is no Postgres');
  return 0;
}

async function embedded(): Promise<{ url: string; close(): Promise<void> }> {
  const folder = await newDatabaseFolder();
  return { url: folder, close: () => rm(folder, { recursive: true }) };
}

function minutes(since: number): string {
  return ((performance.now() - since) / 60_000).toFixed(1);
}
