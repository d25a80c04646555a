import { setTimeout as delay } from 'node:timers/promises';
import type { Instance } from './instance.ts';
import type { World } from './world.ts';

const LOOK_MS = 100;
/** Who is not ready by then is not waited for any more. */
const MAX_MS = 60_000;
export const READY_WITHIN_MS = 5_000;

/** How long an instance took to be ready after the database had come back; `isReady` false: longer than that. */
export interface Readiness {
  instance: string;
  at: number;
  ms: number;
  isReady: boolean;
}

/** After each fault of the database, asks what could reach it again until it is ready. */
export class ReadinessWatch {
  readonly found: Readiness[] = [];
  readonly #world: Pick<World, 'tell'>;
  readonly #latest = new Map<Instance, symbol>();

  constructor(world: Pick<World, 'tell'>) {
    this.#world = world;
  }

  /** Any other fault that meets the instance calls it off (`interrupt`), and so does its own end, start or freeze. */
  measure(instance: Instance): void {
    const turn = Symbol();
    this.#latest.set(instance, turn);
    void this.#ask(instance, turn);
  }

  interrupt(instances: readonly Instance[]): void {
    for (const instance of instances) this.#latest.delete(instance);
  }

  async #ask(instance: Instance, turn: symbol): Promise<void> {
    const at = Date.now();
    const began = performance.now();
    const { disturbed } = instance;
    const isOver = () => this.#latest.get(instance) !== turn || instance.disturbed !== disturbed;
    if (instance.isFrozen) return;
    let wasTold = false;
    for (let ms = 0; ms < MAX_MS; ms = performance.now() - began) {
      const isReady = await instance.isReady();
      if (isReady === undefined) return;
      const took = performance.now() - began;
      // A disturbance excuses it only where it came in time.
      if (isOver() && took < READY_WITHIN_MS) return;
      if (isReady || isOver()) {
        this.found.push({ instance: instance.name, at, ms: took, isReady });
        return;
      }
      if (took > READY_WITHIN_MS && !wasTold) {
        wasTold = true;
        this.#world.tell(
          `${instance.name} IS NOT READY ${READY_WITHIN_MS / 1000} s after the database came back`,
        );
      }
      await delay(LOOK_MS);
    }
    this.found.push({ instance: instance.name, at, ms: MAX_MS, isReady: false });
  }
}
