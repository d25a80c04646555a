import { createRandom } from '../../support/random.ts';
import { Authors } from './authors.ts';
import { findViolations, type Observations, type Violation } from './check.ts';
import { setUpDigests } from './digests-due.ts';
import { planFaults } from './fault-plan.ts';
import { causeFaults } from './faults.ts';
import type { Incident } from './history.ts';
import { ReadinessWatch } from './readiness.ts';
import { collectObservations, settle } from './settle.ts';
import { type Postgres, startWorld } from './world.ts';

interface ChaosOptions {
  seed: number;
  durationMs: number;
  /** The number of people who write at the same time. */
  authorCount: number;
  /** Average pause of an author between two posts. */
  meanPauseMs: number;
  /** Average time between two faults. */
  meanGapMs: number;
  /** The longest that a fault lasts. */
  maxFaultMs: number;
  /** Maximum wait, after all faults, until no post is in flight and no digest is due. */
  settleMs: number;
  /** Causes only faults of these kinds. Defaults to all kinds. */
  onlyKinds?: readonly string[];
  /** Called for each incident: the start or end of a fault, or progress of the run. */
  onIncident?: (text: string) => void;
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

const INSTANCE_COUNT = 3;

/** Causes faults while people write, waits without faults until all work has finished, and checks the result. */
export async function runChaos(postgres: Postgres, options: ChaosOptions): Promise<ChaosResult> {
  const random = createRandom(options.seed);
  const world = await startWorld(postgres, {
    random,
    instanceCount: INSTANCE_COUNT,
    onIncident: options.onIncident,
  });
  try {
    const authors = new Authors(world, options, random);
    const startedAt = Date.now();
    const dueDigests = await setUpDigests(world, startedAt + options.durationMs);
    const readiness = new ReadinessWatch(world);
    const plan = planFaults({ ...options, instanceCount: INSTANCE_COUNT });
    const endsAt = Date.now() + options.durationMs;
    const [faultCounts] = await Promise.all([
      causeFaults(world, plan, readiness),
      authors.writeUntil(() => Date.now() >= endsAt),
    ]);
    world.addIncident('all faults are over');
    world.workspace.faults.clear();
    await world.service.faults.clear();
    for (const { proxy } of world.instances) proxy.restore();
    const faultsEndedAt = Date.now();
    const digestResults = await settle(world, authors, dueDigests, options.settleMs);
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
    await world.close();
  }
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, one) => total + one, 0);
}
