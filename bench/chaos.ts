import { startPostgres } from '../test/support/postgres.ts';
import { planRandomFaults } from './chaos/faults.ts';
import { formatReport } from './chaos/report.ts';
import { runChaos } from './chaos/run-chaos.ts';
import { readOption } from './read-option.ts';

/**
 * Runs three instances while people schedule posts, and makes everything fail at random: the database, its network,
 * Slack, the service, the instances and their clocks. Compares what people read with the posts in the service.
 *
 *   npm run bench -- chaos --minutes 3 --seed 7
 *
 * `--verbose` prints each incident when it happens. `--only freeze,late-answer` limits the kinds of faults.
 */
const DEFAULT_MINUTES = 30;

export async function runChaosBenchmark(args: readonly string[] = []): Promise<void> {
  const postgres = await startPostgres();
  if (!postgres) return console.log('  not run: no Postgres');
  const minutes = Number(readOption(args, '--minutes') ?? process.env.CHAOS_MINUTES ?? DEFAULT_MINUTES);
  const seed = Number(readOption(args, '--seed') ?? process.env.CHAOS_SEED ?? Date.now() % 100_000);
  const only = readOption(args, '--only')?.split(',');
  console.log(`  ${minutes} minutes, --seed ${seed}${only ? `, --only ${only}` : ''}`);
  // Ends all instances, even frozen ones.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));
  try {
    const result = await runChaos(postgres, {
      seed,
      durationMs: minutes * 60_000,
      authorCount: 40,
      meanPauseMs: 12_000,
      causeFaults: planRandomFaults(postgres, {
        seed,
        durationMs: minutes * 60_000,
        meanGapMs: 5_000,
        maxFaultMs: 90_000,
        ...(only && { onlyKinds: only }),
      }),
      settleMs: 8 * 60_000,
      onProgress: (text) => console.log(`    ${text}`),
      ...(args.includes('--verbose') && { onIncident: (text) => console.log(`    ${text}`) }),
    });
    for (const line of formatReport(result)) console.log(`  ${line}`);
    if (result.violations.length > 0) process.exitCode = 1;
  } finally {
    await postgres.stop();
  }
}
