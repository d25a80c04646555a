import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { migrations } from '../src/app/migrations.ts';
import { findVersionMismatch } from '../src/store/version-mismatch.ts';
import { pgBouncerProgram, startPgBouncer } from '../test/support/pgbouncer.ts';
import { startPostgres } from '../test/support/postgres.ts';
import { formatReport } from './chaos/report.ts';
import { planRollingRestarts } from './chaos/rolling-restarts.ts';
import { runChaos } from './chaos/run-chaos.ts';
import { readOption } from './read-option.ts';

/**
 * Runs many instances on one database, with clocks up to four minutes off, while people schedule posts and digests are
 * due. Restarts one instance after the other, and kills some meanwhile.
 *
 *   git worktree add ../earlier HEAD~20 && cp -al node_modules ../earlier/
 *   npm run bench -- many-instances --against ../earlier --minutes 30 --instances 8 --seed 7
 *
 * `--against` names a checkout of another version: all instances start with it, are upgraded to this version one by
 * one, and back if both versions have the same tables. `--pgbouncer` puts a PgBouncer in transaction mode in front of
 * the database. `--verbose` prints each incident when it happens.
 */
const DEFAULT_MINUTES = 30;
const DEFAULT_INSTANCES = 6;
/** Connections from PgBouncer to Postgres, fewer than the instances open to PgBouncer. */
const POOL_SIZE = 10;

export async function runManyInstances(args: readonly string[] = []): Promise<void> {
  const minutes = Number(readOption(args, '--minutes') ?? DEFAULT_MINUTES);
  const seed = Number(readOption(args, '--seed') ?? Date.now() % 100_000);
  const against = readOption(args, '--against');
  const oldFolder = against === undefined ? undefined : resolve(against);
  const oldNames = oldFolder === undefined ? Object.keys(migrations) : await readMigrationNames(oldFolder);
  const mismatch = findVersionMismatch(oldNames, Object.keys(migrations));
  if (mismatch) return console.log(`  not run, no rolling upgrade is possible: ${mismatch.message}`);
  const canGoBack = findVersionMismatch(Object.keys(migrations), oldNames) === undefined;
  const postgres = await startPostgres();
  if (!postgres) return console.log('  not run: no Postgres');
  const usesPgBouncer = args.includes('--pgbouncer');
  if (usesPgBouncer && pgBouncerProgram === undefined) {
    await postgres.stop();
    return console.log('  not run: no PgBouncer');
  }
  const instanceCount = Number(readOption(args, '--instances') ?? DEFAULT_INSTANCES);
  console.log(
    `  ${minutes} minutes, ${instanceCount} instances, --seed ${seed}, ${describe(oldFolder, canGoBack)}${usesPgBouncer ? ', through PgBouncer' : ''}`,
  );
  console.log(
    '  compares what people read with the posts in the service and the digests in the channels; good is 0 violations',
  );
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));
  const restarts: { stopMs: number; readyMs: number }[] = [];
  const durationMs = minutes * 60_000;
  const pgBouncer = usesPgBouncer
    ? await startPgBouncer(postgres.url('postgres', 'postgres'), POOL_SIZE)
    : undefined;
  try {
    const result = await runChaos(postgres, {
      seed,
      durationMs,
      authorCount: 20,
      meanPauseMs: 12_000,
      instanceCount,
      folder: oldFolder,
      ...(pgBouncer && { buildInstanceUrl: (database) => pgBouncer.url(database) }),
      causeFaults: planRollingRestarts({
        seed,
        durationMs,
        oldFolder,
        canGoBack,
        onRestart: (times) => restarts.push(times),
      }),
      settleMs: 8 * 60_000,
      onProgress: (text) => console.log(`    ${text}`),
      ...(args.includes('--verbose') && { onIncident: (text) => console.log(`    ${text}`) }),
    });
    for (const line of formatReport(result)) console.log(`  ${line}`);
    console.log(
      `  restarts: stopped within ${findMaxSeconds(restarts.map(({ stopMs }) => stopMs))} s (limit: 15 s), ready ${findMaxSeconds(restarts.map(({ readyMs }) => readyMs))} s later at most`,
    );
    if (result.violations.length > 0) process.exitCode = 1;
  } finally {
    await pgBouncer?.stop();
    await postgres.stop();
  }
}

async function readMigrationNames(folder: string): Promise<string[]> {
  const module: { migrations: object } = await import(
    pathToFileURL(join(folder, 'src/app/migrations.ts')).href
  );
  return Object.keys(module.migrations);
}

function describe(oldFolder: string | undefined, canGoBack: boolean): string {
  if (oldFolder === undefined) return 'one version';
  return canGoBack ? `upgraded from ${oldFolder} and back` : `upgraded from ${oldFolder}, with a migration`;
}

function findMaxSeconds(times: readonly number[]): string {
  return (Math.max(0, ...times) / 1000).toFixed(1);
}
