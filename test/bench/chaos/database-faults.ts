import { setTimeout as delay } from 'node:timers/promises';
import { Client } from 'pg';
import type { Fault } from './fault-plan.ts';
import type { Instance } from './instance.ts';
import type { ReadinessWatch } from './readiness.ts';
import type { World } from './world.ts';

type FaultOf<Kind extends Fault['kind']> = Fault & { kind: Kind };

/**
 * Causes faults of the database and its network. Faults overlap, so the end of one fault must not end another. Each
 * method resolves when its fault is over, with the name under which the fault is counted.
 */
export class DatabaseFaults {
  readonly #world: World;
  readonly #readiness: ReadinessWatch;
  /** The latest network fault of each instance. */
  readonly #latest = new Map<Instance, Fault>();
  #isStopped = false;

  constructor(world: World, readiness: ReadinessWatch) {
    this.#world = world;
    this.#readiness = readiness;
  }

  async restart({ how, ms }: FaultOf<'restart-database'>): Promise<string> {
    // Faults overlap, so the server may be stopped already.
    if (this.#isStopped) return 'restart skipped, already stopped';
    this.#isStopped = true;
    this.#readiness.interrupt(this.#world.instances);
    this.#world.addIncident(`Postgres stops (${how}) for ${seconds(ms)}`);
    await this.#world.postgres.restart(how, ms);
    this.#isStopped = false;
    this.#world.addIncident('Postgres accepts connections again');
    this.#measureReadiness(this.#world.instances);
    return `restart ${how}`;
  }

  async terminate({ count }: FaultOf<'terminate-backends'>): Promise<string> {
    if (this.#isStopped) return 'terminate skipped, Postgres was stopped';
    this.#world.addIncident(`${count} backends are terminated`);
    const client = new Client({ connectionString: this.#world.databaseUrl, connectionTimeoutMillis: 5_000 });
    // The server may be stopped meanwhile.
    client.on('error', () => undefined);
    try {
      await client.connect();
      await client.query(
        `select pg_terminate_backend(pid) from (select pid from pg_stat_activity
          where datname = current_database() and pid <> pg_backend_pid() order by random() limit $1) as picked`,
        [count],
      );
    } catch {
      return 'terminate failed, Postgres was stopped';
    } finally {
      await client.end().catch(() => undefined);
    }
    this.#measureReadiness(this.#world.instances);
    return 'terminate backends';
  }

  async network(fault: FaultOf<'silent-cut' | 'delay-answers'>): Promise<string> {
    const { instances } = this.#world;
    const affected = fault.instance === undefined ? instances : [this.#instance(fault.instance)];
    const names = affected.map(({ name }) => name).join(', ');
    this.#readiness.interrupt(affected);
    for (const instance of affected) {
      this.#latest.set(instance, fault);
      if (fault.kind === 'silent-cut') instance.proxy.cutSilently(fault);
      else instance.proxy.delayAnswers(fault.lateMs);
    }
    const description =
      fault.kind === 'silent-cut'
        ? `silent cut${fault.allowsNewConnections ? ' of existing connections' : ''}`
        : `answers delayed by ${seconds(fault.lateMs)}`;
    this.#world.addIncident(`${names}: ${description} for ${seconds(fault.ms)}`);
    await delay(fault.ms);
    const restored = affected.filter((instance) => this.#latest.get(instance) === fault);
    for (const instance of restored) {
      this.#latest.delete(instance);
      instance.proxy.restore();
    }
    this.#world.addIncident(`${names}: the network works again`);
    this.#measureReadiness(restored);
    return fault.kind === 'silent-cut' ? 'silent cut' : 'late answers';
  }

  async loseAnswers({ instance: index, to, count, ms }: FaultOf<'lose-answers'>): Promise<string> {
    const instance = this.#instance(index);
    const timeout = delay(ms, false);
    for (let remaining = count; remaining > 0; remaining -= 1) {
      const isLost = await Promise.race([this.#loseAnswer(instance, to), timeout]);
      if (!isLost) return remaining === count ? 'lost answer, no statement in time' : 'lost answers';
    }
    return 'lost answers';
  }

  async #loseAnswer(instance: Instance, to: RegExp): Promise<boolean> {
    const isLost = await instance.proxy.loseNextAnswer(to);
    if (isLost) {
      this.#world.addIncident(`${instance.name}: the answer to ${to} is lost`);
      this.#measureReadiness([instance]);
    }
    return isLost;
  }

  async lateAnswer(fault: FaultOf<'late-answer'>): Promise<string> {
    const instance = this.#instance(fault.instance);
    const incident = `${instance.name}: the answer to ${fault.to} is delayed by ${seconds(fault.lateMs)}`;
    const executed = instance.proxy.delayNextAnswer(fault.lateMs, fault.to).then((isDelayed) => {
      if (isDelayed) this.#world.addIncident(incident);
      return isDelayed;
    });
    const isDelayed = await Promise.race([executed, delay(fault.ms, false)]);
    return isDelayed ? 'late answer' : 'late answer, no statement in time';
  }

  /** Measures how soon these instances are ready, unless another fault still cuts them off. */
  #measureReadiness(instances: readonly Instance[]): void {
    if (this.#isStopped) return;
    for (const instance of instances) {
      if (!this.#latest.has(instance)) this.#readiness.measure(instance);
    }
  }

  #instance(index: number): Instance {
    const instance = this.#world.instances[index];
    if (!instance) throw new Error(`unknown instance ${index}`);
    return instance;
  }
}

export function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`;
}
