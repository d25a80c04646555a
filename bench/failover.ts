import { PostgresPair } from '../test/support/postgres-pair.ts';
import { planFailovers } from './chaos/failovers.ts';
import { formatReport } from './chaos/report.ts';
import { runChaos } from './chaos/run-chaos.ts';
import { readOption } from './read-option.ts';

/**
 * Kills the primary of two Postgres servers again and again, and promotes its standby, while people schedule posts
 * through three instances and digests are due.
 *
 *   npm run bench -- failover --minutes 10 --seed 7
 *
 * `--missed-seconds 2` replicates asynchronously, to a standby that misses the last 2 s before each failover. It shows
 * what such a failover loses. `--verbose` prints each incident when it happens.
 */
const DEFAULT_MINUTES = 10;

export async function measureFailovers(args: readonly string[] = []): Promise<void> {
  const minutes = Number(readOption(args, '--minutes') ?? DEFAULT_MINUTES);
  const seed = Number(readOption(args, '--seed') ?? Date.now() % 100_000);
  const missedMs = Number(readOption(args, '--missed-seconds') ?? 0) * 1_000;
  const isSynchronous = missedMs === 0;
  const pair = await PostgresPair.start(isSynchronous);
  if (!pair) return console.log('  not run: no Postgres');
  console.log(`  ${minutes} minutes, --seed ${seed}, ${isSynchronous ? '' : 'a'}synchronous replication`);
  console.log(
    '  compares what people read with the posts in the service and the digests in the channels; good is 0 violations',
  );
  if (!isSynchronous)
    console.log('  asynchronous: violations are expected, and show what such a failover loses');
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));
  try {
    const result = await runChaos(pair, {
      seed,
      durationMs: minutes * 60_000,
      authorCount: 30,
      meanPauseMs: 8_000,
      causeFaults: planFailovers(pair, { seed, durationMs: minutes * 60_000, missedMs }),
      // After asynchronous failovers, some authors wait in vain.
      settleMs: isSynchronous ? 8 * 60_000 : 2 * 60_000,
      onProgress: (text) => console.log(`    ${text}`),
      ...(args.includes('--verbose') && { onIncident: (text) => console.log(`    ${text}`) }),
    });
    for (const line of formatReport(result)) console.log(`  ${line}`);
    if (isSynchronous && result.violations.length > 0) process.exitCode = 1;
  } finally {
    await pair.stop();
  }
}
