import { setTimeout as delay } from 'node:timers/promises';
import type { Instance } from './instance.ts';
import type { World } from './world.ts';

const POLL_INTERVAL_MS = 100;
/** Measuring ends after this time, whether the instance is ready or not. */
const MAX_WAIT_MS = 60_000;
export const READY_WITHIN_MS = 5_000;

/**
 * The time until an instance was ready, measured from `at`, when the database was reachable again. If `isReady` is
 * false, the instance needed more than `elapsedMs`.
 */
export interface Readiness {
  instance: string;
  at: number;
  elapsedMs: number;
  isReady: boolean;
}

/** Measures how soon instances are ready after they reach the database again. */
export class ReadinessWatch {
  readonly measurements: Readiness[] = [];
  readonly #world: Pick<World, 'addIncident'>;
  readonly #latestMeasurements = new Map<Instance, symbol>();

  constructor(world: Pick<World, 'addIncident'>) {
    this.#world = world;
  }

  /** Starts a measurement. The next fault (`interrupt`) or an exit, start or freeze of the instance cancels the
   * measurement. */
  measure(instance: Instance): void {
    const measurement = Symbol();
    this.#latestMeasurements.set(instance, measurement);
    void this.#poll(instance, measurement);
  }

  interrupt(instances: readonly Instance[]): void {
    for (const instance of instances) this.#latestMeasurements.delete(instance);
  }

  async #poll(instance: Instance, measurement: symbol): Promise<void> {
    const at = Date.now();
    const startedAt = performance.now();
    const { disturbances } = instance;
    const isCancelled = () =>
      this.#latestMeasurements.get(instance) !== measurement || instance.disturbances !== disturbances;
    if (instance.isFrozen) return;
    let isReported = false;
    for (let ms = 0; ms < MAX_WAIT_MS; ms = performance.now() - startedAt) {
      const isReady = await instance.isReady();
      if (isReady === undefined) return;
      const elapsedMs = performance.now() - startedAt;
      // A cancellation after the limit comes too late: the instance was not ready in time.
      if (isCancelled() && elapsedMs < READY_WITHIN_MS) return;
      if (isReady || isCancelled()) {
        this.measurements.push({ instance: instance.name, at, elapsedMs, isReady });
        return;
      }
      if (elapsedMs > READY_WITHIN_MS && !isReported) {
        isReported = true;
        this.#world.addIncident(
          `${instance.name} IS NOT READY ${READY_WITHIN_MS / 1000} s after the database was reachable again`,
        );
      }
      await delay(POLL_INTERVAL_MS);
    }
    this.measurements.push({ instance: instance.name, at, elapsedMs: MAX_WAIT_MS, isReady: false });
  }
}
