import { readdirSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { startPostgres } from '../test/support/postgres.ts';
import type { CauseFaults } from './chaos/faults.ts';
import { formatReport } from './chaos/report.ts';
import { runChaos } from './chaos/run-chaos.ts';
import { computeMedian } from './median.ts';
import { printVerdict } from './print-verdict.ts';
import { readOption } from './read-option.ts';
import { readMemoryMb } from './server.ts';

/**
 * Runs two instances on Postgres without faults, while people schedule posts and a digest is due each minute. Compares
 * the memory and the open files of each instance in the second and the last quarter of the run: a leak grows.
 *
 *   npm run bench -- soak --minutes 30
 */
const DEFAULT_MINUTES = 30;
const SAMPLE_INTERVAL_MS = 5_000;
/** The last quarter may have this much more than the second: V8 collects garbage when it likes to. */
const MAX_MEMORY_GROWTH = 1.1;
/** Connections to the service and to Postgres come and go. */
const MAX_MORE_FILES = 15;

interface Sample {
  memoryMb: number;
  openFileCount: number;
}

export async function runSoak(args: readonly string[] = []): Promise<void> {
  const minutes = Number(readOption(args, '--minutes') ?? DEFAULT_MINUTES);
  const postgres = await startPostgres();
  if (!postgres) return console.log('  not run: no Postgres');
  console.log(`  ${minutes} minutes; memory and open files in the second quarter → in the last quarter`);
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));
  const durationMs = minutes * 60_000;
  const samples = new Map<string, Sample[]>();
  try {
    const result = await runChaos(postgres, {
      seed: 1,
      durationMs,
      authorCount: 20,
      meanPauseMs: 4_000,
      instanceCount: 2,
      causeFaults: sampleInstances(samples, durationMs),
      settleMs: 3 * 60_000,
      onProgress: (text) => console.log(`    ${text}${describeLast(samples)}`),
    });
    for (const line of formatReport(result)) console.log(`  ${line}`);
    const growth = [...samples].flatMap(([name, taken]) => compareQuarters(name, taken));
    printVerdict('no leak, no violation', [
      ...growth,
      ...result.violations.map(({ rule, details }) => `${rule}: ${details}`),
    ]);
  } finally {
    await postgres.stop();
  }
}

/** Causes no faults. Takes samples of the instances instead. */
function sampleInstances(samples: Map<string, Sample[]>, durationMs: number): CauseFaults {
  return async ({ instances }) => {
    const endsAt = Date.now() + durationMs;
    while (Date.now() < endsAt) {
      for (const { name, pid } of instances) {
        if (pid === undefined) continue;
        const sample = { memoryMb: readMemoryMb(pid), openFileCount: readdirSync(`/proc/${pid}/fd`).length };
        samples.set(name, [...(samples.get(name) ?? []), sample]);
      }
      await delay(SAMPLE_INTERVAL_MS);
    }
    return {};
  };
}

function describeLast(samples: ReadonlyMap<string, readonly Sample[]>): string {
  return [...samples]
    .map(([name, taken]) => {
      const { memoryMb = 0, openFileCount = 0 } = taken.at(-1) ?? {};
      return `; ${name}: ${memoryMb.toFixed(0)} MB, ${openFileCount} files`;
    })
    .join('');
}

/** Prints the medians of an instance, and returns what has grown. */
function compareQuarters(name: string, samples: readonly Sample[]): string[] {
  const quarter = Math.floor(samples.length / 4);
  const second = samples.slice(quarter, 2 * quarter);
  const last = samples.slice(-quarter);
  const getMedian = (taken: readonly Sample[], key: keyof Sample) =>
    computeMedian(taken.map((sample) => sample[key]));
  const [memoryBefore, memoryAfter] = [getMedian(second, 'memoryMb'), getMedian(last, 'memoryMb')];
  const [filesBefore, filesAfter] = [getMedian(second, 'openFileCount'), getMedian(last, 'openFileCount')];
  const memory = `${name}: ${memoryBefore.toFixed(0)} → ${memoryAfter.toFixed(0)} MB`;
  const files = `${name}: ${filesBefore} → ${filesAfter} open files`;
  console.log(`  ${memory}, ${filesBefore} → ${filesAfter} open files`);
  return [
    ...(memoryAfter > memoryBefore * MAX_MEMORY_GROWTH ? [memory] : []),
    ...(filesAfter > filesBefore + MAX_MORE_FILES ? [files] : []),
  ];
}
