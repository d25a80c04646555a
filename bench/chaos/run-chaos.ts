import type { PrivatePostgres } from '../../test/support/postgres.ts';
import { createRandom } from '../../test/support/random.ts';
import { Authors } from './authors.ts';
import { findViolations, type Observations, type Violation } from './check.ts';
import { setUpDigests } from './digests-due.ts';
import type { CauseFaults } from './faults.ts';
import type { Incident } from './history.ts';
import { ReadinessWatch } from './readiness.ts';
import { collectObservations, settle } from './settle.ts';
import { startWorld, type World } from './world.ts';

interface ChaosOptions {
  seed: number;
  durationMs: number;
  /** The number of people who write at the same time. */
  authorCount: number;
  /** Average pause of an author between two posts. */
  meanPauseMs: number;
  /** Maximum wait, after all faults, until no post is in flight and no digest is due. */
  settleMs: number;
  /** Whether that wait ends the waits between attempts, for tests. Defaults to false, as in production. */
  shortensWaits?: boolean;
  causeFaults: CauseFaults;
  /** Defaults to DEFAULT_INSTANCE_COUNT. */
  instanceCount?: number;
  /** The checkout whose version the instances run at the start. Defaults to this one. */
  folder?: string | undefined;
  /** The address of a database as the instances use it. Defaults to Postgres' own. */
  buildInstanceUrl?: (database: string) => string;
  /** Called for each incident: the start or end of a fault, or progress of the run. */
  onIncident?: (text: string) => void;
  /** Called every few seconds, with a line that says how far the run is. */
  onProgress?: ((text: string) => void) | undefined;
}

export interface ChaosResult {
  observations: Observations;
  violations: Violation[];
  incidents: readonly Incident[];
  startedAt: number;
  faultCounts: Record<string, number>;
  unopenedFormCount: number;
  /** Times from submitting a form to the report that the post is scheduled. */
  confirmationTimesMs: number[];
}

const DEFAULT_INSTANCE_COUNT = 3;
const PROGRESS_INTERVAL_MS = 10_000;

/** Causes faults while people write, waits without faults until all work has finished, and checks the result. */
export async function runChaos(
  postgres: Pick<PrivatePostgres, 'url'>,
  options: ChaosOptions,
): Promise<ChaosResult> {
  const random = createRandom(options.seed);
  const world = await startWorld(postgres, {
    random,
    instanceCount: options.instanceCount ?? DEFAULT_INSTANCE_COUNT,
    folder: options.folder,
    buildInstanceUrl: options.buildInstanceUrl,
    onIncident: options.onIncident,
  });
  const authors = new Authors(world, options, random);
  const startedAt = Date.now();
  const progress = setInterval(() => {
    void describeProgress(world, authors, startedAt).then(options.onProgress);
  }, PROGRESS_INTERVAL_MS);
  try {
    const dueDigests = await setUpDigests(world, startedAt + options.durationMs);
    const readiness = new ReadinessWatch(world);
    const endsAt = Date.now() + options.durationMs;
    const [faultCounts] = await Promise.all([
      options.causeFaults(world, readiness),
      authors.writeUntil(() => Date.now() >= endsAt),
    ]);
    world.addIncident('all faults are over');
    world.workspace.faults.clear();
    await world.service.faults.clear();
    for (const { proxy } of world.instances) proxy.restore();
    const faultsEndedAt = Date.now();
    const digestResults = await settle(world, authors, dueDigests, options);
    world.addIncident('settled');
    const observations = await collectObservations(
      world,
      authors,
      readiness.measurements,
      digestResults,
      faultsEndedAt,
    );
    return {
      observations,
      violations: findViolations(observations),
      incidents: world.incidents,
      startedAt,
      faultCounts,
      unopenedFormCount: sum(authors.all.map((author) => author.unopenedFormCount)),
      confirmationTimesMs: authors.all.flatMap(({ confirmationTimesMs }) => confirmationTimesMs),
    };
  } finally {
    clearInterval(progress);
    await world.close();
  }
}

async function describeProgress(world: World, authors: Authors, startedAt: number): Promise<string> {
  const states = await Promise.all(world.instances.map((instance) => instance.isReady()));
  const readyCount = states.filter(Boolean).length;
  const postCount = sum(authors.all.map(({ posts }) => posts.length));
  const seconds = Math.round((Date.now() - startedAt) / 1000);
  const lastIncident = world.incidents.at(-1)?.text ?? '';
  return `${seconds} s: ${postCount} posts, ${readyCount} of ${states.length} instances ready, ${lastIncident}`;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, one) => total + one, 0);
}
