import { setTimeout as delay } from 'node:timers/promises';
import { createRandom } from '../../test/support/random.ts';
import type { CauseFaults } from './faults.ts';
import type { Instance } from './instance.ts';
import type { World } from './world.ts';

/** Average time between two kills. */
const MEAN_KILL_GAP_MS = 30_000;
/** Maximum pause after an instance is ready, until the next one is restarted. */
const MAX_PAUSE_MS = 10_000;
/** An instance that isn't ready by then doesn't hold up the restart of the others. It may have been killed meanwhile. */
const MAX_START_MS = 30_000;
const POLL_INTERVAL_MS = 100;

interface RollingRestartsOptions {
  seed: number;
  durationMs: number;
  /** The checkout whose version runs at the start. Undefined if there is only this version. */
  oldFolder: string | undefined;
  /** Whether the old version can use the database after this version has. */
  canGoBack: boolean;
  /** Called with the times from SIGTERM to the end of the process, and from its end until the next one is ready, ms. */
  onRestart: (times: { stopMs: number; readyMs: number }) => void;
}

/** Restarts one instance after the other, from the old version to this one and back, and kills instances meanwhile. */
export function planRollingRestarts(options: RollingRestartsOptions): CauseFaults {
  return async (world) => {
    const endsAt = Date.now() + options.durationMs;
    const isOver = () => Date.now() >= endsAt;
    const [restarts, kills] = await Promise.all([
      restartInRounds(world, options, isOver),
      killInstances(world, options, isOver),
    ]);
    return { ...restarts, 'killed instances': kills };
  };
}

async function restartInRounds(
  world: World,
  { seed, oldFolder, canGoBack, onRestart }: RollingRestartsOptions,
  isOver: () => boolean,
): Promise<Record<string, number>> {
  const random = createRandom(seed);
  const counts = { 'upgraded instances': 0, 'instances taken back': 0, 'restarted instances': 0 };
  let isUpgrade = true;
  for (;;) {
    for (const instance of world.instances) {
      if (isOver()) return counts;
      await delay(random.drawInteger(MAX_PAUSE_MS));
      const name = oldFolder === undefined ? 'restarted' : isUpgrade ? 'upgraded' : 'taken back';
      world.addIncident(`${instance.name} is ${name}`);
      instance.folder = isUpgrade ? undefined : oldFolder;
      const startedAt = Date.now();
      await instance.terminate();
      const stoppedAt = Date.now();
      if (await waitUntilReady(instance)) {
        onRestart({ stopMs: stoppedAt - startedAt, readyMs: Date.now() - stoppedAt });
      }
      if (oldFolder === undefined) counts['restarted instances'] += 1;
      else counts[isUpgrade ? 'upgraded instances' : 'instances taken back'] += 1;
    }
    if (canGoBack) isUpgrade = !isUpgrade;
  }
}

async function waitUntilReady(instance: Instance): Promise<boolean> {
  const endsAt = Date.now() + MAX_START_MS;
  while (Date.now() < endsAt) {
    if (await instance.isReady()) return true;
    await delay(POLL_INTERVAL_MS);
  }
  return false;
}

async function killInstances(
  world: World,
  { seed, canGoBack }: RollingRestartsOptions,
  isOver: () => boolean,
): Promise<number> {
  const random = createRandom(seed + 1);
  for (let count = 0; ; count += 1) {
    await delay(-MEAN_KILL_GAP_MS * Math.log(1 - random.next()));
    if (isOver()) return count;
    const instance = random.pick(world.instances);
    // An old version doesn't start any more on a newer database, so the killed instance is upgraded.
    if (!canGoBack) instance.folder = undefined;
    world.addIncident(`${instance.name} is killed`);
    instance.kill();
  }
}
