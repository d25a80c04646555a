import { setTimeout as delay } from 'node:timers/promises';
import { DatabaseFaults, seconds } from './database-faults.ts';
import type { Fault } from './fault-plan.ts';
import type { Instance } from './instance.ts';
import type { ReadinessWatch } from './readiness.ts';
import type { World } from './world.ts';

/** Causes the planned faults and ends them. When all are over, resolves with the number of faults of each kind. */
export async function causeFaults(
  world: World,
  plan: readonly Fault[],
  readiness: ReadinessWatch,
): Promise<Record<string, number>> {
  const startedAt = Date.now();
  const counts: Record<string, number> = {};
  const chaos = new Chaos(world, readiness);
  await Promise.all(
    plan.map(async (fault) => {
      await delay(Math.max(0, startedAt + fault.at - Date.now()));
      const name = await chaos.cause(fault);
      counts[name] = (counts[name] ?? 0) + 1;
    }),
  );
  return counts;
}

/** Causes faults. They overlap, so the end of one fault must not end another. */
class Chaos {
  readonly #world: World;
  readonly #database: DatabaseFaults;
  /** The latest fault of Slack and of the service. */
  readonly #latest = new Map<unknown, Fault>();

  constructor(world: World, readiness: ReadinessWatch) {
    this.#world = world;
    this.#database = new DatabaseFaults(world, readiness);
  }

  /** Causes a fault. Resolves when it is over, with the name under which it is counted. */
  async cause(fault: Fault): Promise<string> {
    const world = this.#world;
    switch (fault.kind) {
      case 'restart-database':
        return this.#database.restart(fault);
      case 'terminate-backends':
        return this.#database.terminate(fault);
      case 'silent-cut':
      case 'delay-answers':
        return this.#database.network(fault);
      case 'lose-answers':
        return this.#database.loseAnswers(fault);
      case 'late-answer':
        return this.#database.lateAnswer(fault);
      case 'freeze': {
        const instance = this.#instance(fault.instance);
        world.addIncident(`${instance.name} is frozen for ${seconds(fault.ms)}`);
        instance.freeze();
        await delay(fault.ms);
        instance.thaw();
        world.addIncident(`${instance.name} continues`);
        return 'freeze';
      }
      case 'kill': {
        const instance = this.#instance(fault.instance);
        world.addIncident(`${instance.name} is killed`);
        instance.kill();
        return 'kill';
      }
      case 'drop-sockets':
        world.addIncident('Slack cuts all connections');
        world.dropSockets();
        return 'drop sockets';
      case 'slack':
        return this.#slack(fault);
      case 'service':
        return this.#service(fault);
    }
  }

  async #slack(fault: Fault & { kind: 'slack' }): Promise<string> {
    const { faults } = this.#world.workspace;
    const name = (fault.plan.webApi ?? fault.plan.deliveries)?.[0]?.fault ?? '';
    this.#world.addIncident(`Slack: ${name} for ${seconds(fault.ms)}`);
    this.#latest.set(faults, fault);
    faults.set(fault.plan);
    await delay(fault.ms);
    if (this.#latest.get(faults) === fault) faults.clear();
    return `Slack ${name}`;
  }

  async #service(fault: Fault & { kind: 'service' }): Promise<string> {
    const { faults } = this.#world.service;
    const [rule] = fault.plan.rules ?? [];
    const name = rule
      ? [rule.fault, 'commit' in rule && rule.commit, 'status' in rule && rule.status]
      : ['down'];
    const text = name.filter(Boolean).join(' ');
    this.#world.addIncident(`the service: ${text} for ${seconds(fault.ms)}`);
    this.#latest.set(faults, fault);
    await faults.set(fault.plan);
    await delay(fault.ms);
    if (this.#latest.get(faults) === fault) await faults.clear();
    return `service ${text}`;
  }

  #instance(index: number): Instance {
    const instance = this.#world.instances[index];
    if (!instance) throw new Error(`unknown instance ${index}`);
    return instance;
  }
}
