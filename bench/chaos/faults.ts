import { setTimeout as delay } from 'node:timers/promises';
import type { PrivatePostgres } from '../../test/support/postgres.ts';
import { DatabaseFaults, formatSeconds } from './database-faults.ts';
import { type Fault, type PlanOptions, planFaults } from './fault-plan.ts';
import type { Instance } from './instance.ts';
import type { ReadinessWatch } from './readiness.ts';
import type { World } from './world.ts';

/** Causes the faults of a run. Resolves when all are over, with the number of faults by name. */
export type CauseFaults = (world: World, readiness: ReadinessWatch) => Promise<Record<string, number>>;

/** Causes random faults of all kinds. */
export function planRandomFaults(
  postgres: PrivatePostgres,
  options: Omit<PlanOptions, 'instanceCount'>,
): CauseFaults {
  return (world, readiness) => {
    const plan = planFaults({ ...options, instanceCount: world.instances.length });
    return causePlannedFaults(plan, new FaultCauser(world, postgres, readiness));
  };
}

async function causePlannedFaults(
  plan: readonly Fault[],
  causer: FaultCauser,
): Promise<Record<string, number>> {
  const startedAt = Date.now();
  const counts: Record<string, number> = {};
  await Promise.all(
    plan.map(async (fault) => {
      await delay(Math.max(0, startedAt + fault.startsAfterMs - Date.now()));
      const name = await causer.cause(fault);
      counts[name] = (counts[name] ?? 0) + 1;
    }),
  );
  return counts;
}

/** Causes faults. They overlap, so the end of one fault must not end another. */
class FaultCauser {
  readonly #world: World;
  readonly #database: DatabaseFaults;
  /** The latest fault of each emulator, by the emulator's `faults`. */
  readonly #latestFaults = new Map<unknown, Fault>();

  constructor(world: World, postgres: PrivatePostgres, readiness: ReadinessWatch) {
    this.#world = world;
    this.#database = new DatabaseFaults(world, postgres, readiness);
  }

  /** Causes a fault. Resolves when it is over, with the name under which it is counted. */
  async cause(fault: Fault): Promise<string> {
    const world = this.#world;
    switch (fault.kind) {
      case 'restart-database':
        return this.#database.restartServer(fault);
      case 'terminate-backends':
        return this.#database.terminateBackends(fault);
      case 'silent-cut':
      case 'delay-answers':
        return this.#database.disturbNetwork(fault);
      case 'lose-answers':
        return this.#database.loseAnswers(fault);
      case 'late-answer':
        return this.#database.delayNextAnswer(fault);
      case 'freeze': {
        const instance = this.#getInstance(fault.instance);
        world.addIncident(`${instance.name} is frozen for ${formatSeconds(fault.durationMs)}`);
        instance.freeze();
        await delay(fault.durationMs);
        instance.thaw();
        world.addIncident(`${instance.name} runs again`);
        return 'freeze';
      }
      case 'kill': {
        const instance = this.#getInstance(fault.instance);
        world.addIncident(`${instance.name} is killed`);
        instance.kill();
        return 'kill';
      }
      case 'drop-sockets':
        world.addIncident('Slack cuts all connections');
        world.dropSockets();
        return 'drop sockets';
      case 'slack':
        return this.#causeSlackFault(fault);
      case 'service':
        return this.#causeServiceFault(fault);
    }
  }

  async #causeSlackFault(fault: Fault & { kind: 'slack' }): Promise<string> {
    const { faults } = this.#world.workspace;
    const name = (fault.plan.webApi ?? fault.plan.deliveries)?.[0]?.fault ?? '';
    this.#world.addIncident(`Slack: ${name} for ${formatSeconds(fault.durationMs)}`);
    this.#latestFaults.set(faults, fault);
    faults.set(fault.plan);
    await delay(fault.durationMs);
    if (this.#latestFaults.get(faults) === fault) faults.clear();
    return `Slack ${name}`;
  }

  async #causeServiceFault(fault: Fault & { kind: 'service' }): Promise<string> {
    const { faults } = this.#world.service;
    const [rule] = fault.plan.rules ?? [];
    const parts = rule
      ? [rule.fault, 'commit' in rule && rule.commit, 'status' in rule && rule.status]
      : ['down'];
    const description = parts.filter(Boolean).join(' ');
    this.#world.addIncident(`the service: ${description} for ${formatSeconds(fault.durationMs)}`);
    this.#latestFaults.set(faults, fault);
    await faults.set(fault.plan);
    await delay(fault.durationMs);
    if (this.#latestFaults.get(faults) === fault) await faults.clear();
    return `service ${description}`;
  }

  #getInstance(index: number): Instance {
    const instance = this.#world.instances[index];
    if (!instance) throw new Error(`unknown instance ${index}`);
    return instance;
  }
}
