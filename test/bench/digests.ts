import { CHANGING_ZONES, SPARE_ZONES } from '../support/changing-zones.ts';
import { simulate } from '../support/run-simulation.ts';
import { benchDatabase } from './bench-database.ts';

/**
 * Two years of digests on a clock of their own: 50 channels with one digest for each of 20 zones, every clock change,
 * restarts, kills, jumps of the clock, faults of Slack and of the service, and people who change things. What must
 * have been posted is judged from the settings and the messages alone.
 */

const [FROM, UNTIL] = ['2026-01-01T00:00:00Z', '2028-01-01T00:00:00Z'];
const CHANNELS = 50;
const SEED = 1;
const GRAIN_MS = 10_000;

export async function digests(): Promise<void> {
  const database = await benchDatabase();
  const began = performance.now();
  const { verdict, turns, kills, calls, states } = await simulate({
    db: database.db,
    from: FROM,
    until: UNTIL,
    seed: SEED,
    channels: CHANNELS,
    zones: CHANGING_ZONES,
    spareZones: SPARE_ZONES,
    isTroubled: true,
    grainMs: GRAIN_MS,
    onDay(day, turns) {
      if (day.endsWith('-01')) console.log(`  ${day} after ${minutes(began)} min and ${turns} turns`);
    },
  });
  const { faults, expected, posted, late, lines, missed, silent, paused } = verdict;
  console.log(`  ${minutes(began)} minutes, ${turns} turns, ${kills} kills in the middle of something`);
  console.log(`  Slack was asked ${JSON.stringify(calls)}`);
  console.log(
    `  ${expected} dates came: ${posted} posted (${late} of them late), ${lines} lines that the service was down, ${missed} missed and told, ${silent} silent, ${paused} paused and told`,
  );
  console.log(`  rows: ${JSON.stringify(states)}`);
  for (const fault of faults.slice(0, 20)) console.log(`  FAULT ${fault}`);
  console.log(`  dates with no end, or more than one: ${faults.length} (wanted: 0)`);
  await database.close();
  if (faults.length > 0) process.exitCode = 1;
}

function minutes(since: number): string {
  return ((performance.now() - since) / 60_000).toFixed(1);
}
