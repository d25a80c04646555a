import { luckOf } from '../../support/luck.ts';
import { check, type Found, type Violation } from './check.ts';
import { setUpDigests } from './digests-due.ts';
import { planFaults } from './fault-plan.ts';
import { causeFaults } from './faults.ts';
import type { Incident } from './history.ts';
import { ReadinessWatch } from './readiness.ts';
import { look, settle } from './settle.ts';
import { type Postgres, startWorld } from './world.ts';
import { Writing } from './writing.ts';

interface ChaosOptions {
  seed: number;
  ms: number;
  /** How many people write at the same time. */
  desks: number;
  /** On average between two posts of one of them. */
  pauseMs: number;
  /** Between two faults on average, and how long one lasts at most. */
  gapMs: number;
  mostMs: number;
  /** Everything gets so long at most to settle, after all faults. */
  settleMs: number;
  /** Only faults of these kinds; all of them unless told. */
  only?: readonly string[];
  /** Told of each fault as it happens. */
  onIncident?: (text: string) => void;
}

export interface ChaosResult {
  found: Found;
  violations: Violation[];
  incidents: readonly Incident[];
  began: number;
  faults: Record<string, number>;
  neverOpened: number;
  /** From sending a form to reading that it is scheduled, ms. */
  waits: number[];
}

const INSTANCES = 3;

/** The whole run: a quiet start, faults while people write, quiet again, and what became of everything. */
export async function runChaos(postgres: Postgres, options: ChaosOptions): Promise<ChaosResult> {
  const luck = luckOf(options.seed);
  const world = await startWorld(postgres, { luck, count: INSTANCES, onIncident: options.onIncident });
  try {
    const writing = new Writing(world, options, luck);
    const began = Date.now();
    const digests = await setUpDigests(world, began + options.ms);
    const readiness = new ReadinessWatch(world);
    const plan = planFaults({ ...options, instances: INSTANCES });
    const ends = Date.now() + options.ms;
    const [faults] = await Promise.all([
      causeFaults(world, plan, readiness),
      writing.until(() => Date.now() >= ends),
    ]);
    world.tell('all faults are over');
    world.workspace.faults.clear();
    await world.service.faults.clear();
    for (const { proxy } of world.instances) proxy.restore();
    const quietSince = Date.now();
    const seen = await settle(world, writing, digests, options.settleMs);
    world.tell('settled');
    const found = await look(world, writing, readiness.found, seen, quietSince);
    return {
      found,
      violations: check(found),
      incidents: world.incidents,
      began,
      faults,
      neverOpened: sum(writing.authors.map((author) => author.neverOpened)),
      waits: writing.authors.flatMap(({ waits }) => waits),
    };
  } finally {
    await world.close();
  }
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, one) => total + one, 0);
}
