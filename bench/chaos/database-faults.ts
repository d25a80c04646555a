import { setTimeout as delay } from 'node:timers/promises';
import { Client } from 'pg';
import type { PrivatePostgres } from '../../test/support/postgres.ts';
import type { Fault } from './fault-plan.ts';
import type { Instance } from './instance.ts';
import type { ReadinessWatch } from './readiness.ts';
import type { World } from './world.ts';

type FaultOf<Kind extends Fault['kind']> = Fault & { kind: Kind };

/**
 * Causes faults of the database and its network. The faults overlap, so the end of one must not end another. Each
 * method resolves when its fault is over, with the name under which the fault is counted.
 */
export class DatabaseFaults {
  readonly #world: World;
  readonly #postgres: PrivatePostgres;
  readonly #readiness: ReadinessWatch;
  /** The latest network fault of each instance. */
  readonly #latestFaults = new Map<Instance, Fault>();
  #isStopped = false;

  constructor(world: World, postgres: PrivatePostgres, readiness: ReadinessWatch) {
    this.#world = world;
    this.#postgres = postgres;
    this.#readiness = readiness;
  }

  async restartServer({ mode, durationMs }: FaultOf<'restart-database'>): Promise<string> {
    // Faults overlap, so the server may be stopped already.
    if (this.#isStopped) return 'restart skipped, already stopped';
    this.#isStopped = true;
    this.#readiness.interrupt(this.#world.instances);
    this.#world.addIncident(`Postgres stops (${mode}) for ${formatSeconds(durationMs)}`);
    await this.#postgres.restart(mode, durationMs);
    this.#isStopped = false;
    this.#world.addIncident('Postgres accepts connections again');
    this.#measureReadiness(this.#world.instances);
    return `restart ${mode}`;
  }

  async terminateBackends({ count }: FaultOf<'terminate-backends'>): Promise<string> {
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

  async disturbNetwork(fault: FaultOf<'silent-cut' | 'delay-answers'>): Promise<string> {
    const { instances } = this.#world;
    const affected = fault.instance === undefined ? instances : [this.#getInstance(fault.instance)];
    const names = affected.map(({ name }) => name).join(', ');
    this.#readiness.interrupt(affected);
    for (const instance of affected) {
      this.#latestFaults.set(instance, fault);
      if (fault.kind === 'silent-cut') instance.proxy.cutSilently(fault);
      else instance.proxy.delayAnswers(fault.delayMs);
    }
    const description =
      fault.kind === 'silent-cut'
        ? `silent cut${fault.allowsNewConnections ? ' of existing connections' : ''}`
        : `answers delayed by ${formatSeconds(fault.delayMs)}`;
    this.#world.addIncident(`${names}: ${description} for ${formatSeconds(fault.durationMs)}`);
    await delay(fault.durationMs);
    const restored = affected.filter((instance) => this.#latestFaults.get(instance) === fault);
    for (const instance of restored) {
      this.#latestFaults.delete(instance);
      instance.proxy.restore();
    }
    this.#world.addIncident(`${names}: the network works again`);
    this.#measureReadiness(restored);
    return fault.kind === 'silent-cut' ? 'silent cut' : 'late answers';
  }

  async loseAnswers({
    instance: index,
    statement,
    count,
    durationMs,
  }: FaultOf<'lose-answers'>): Promise<string> {
    const instance = this.#getInstance(index);
    const timeout = delay(durationMs, false);
    for (let remaining = count; remaining > 0; remaining -= 1) {
      const isLost = await Promise.race([this.#loseAnswer(instance, statement), timeout]);
      if (!isLost) return remaining === count ? 'lost answer, no statement in time' : 'lost answers';
    }
    return 'lost answers';
  }

  async #loseAnswer(instance: Instance, statement: RegExp): Promise<boolean> {
    const isLost = await instance.proxy.loseNextAnswer(statement);
    if (isLost) {
      this.#world.addIncident(`${instance.name}: the answer to ${statement} is lost`);
      this.#measureReadiness([instance]);
    }
    return isLost;
  }

  async delayNextAnswer(fault: FaultOf<'late-answer'>): Promise<string> {
    const instance = this.#getInstance(fault.instance);
    const incident = `${instance.name}: the answer to ${fault.statement} is delayed by ${formatSeconds(fault.delayMs)}`;
    const executed = instance.proxy.delayNextAnswer(fault.delayMs, fault.statement).then((isDelayed) => {
      if (isDelayed) this.#world.addIncident(incident);
      return isDelayed;
    });
    const isDelayed = await Promise.race([executed, delay(fault.durationMs, false)]);
    return isDelayed ? 'late answer' : 'late answer, no statement in time';
  }

  /** Measures how soon these instances are ready. Skips those that another fault still cuts off. */
  #measureReadiness(instances: readonly Instance[]): void {
    if (this.#isStopped) return;
    for (const instance of instances) {
      if (!this.#latestFaults.has(instance)) this.#readiness.measure(instance);
    }
  }

  #getInstance(index: number): Instance {
    const instance = this.#world.instances[index];
    if (!instance) throw new Error(`unknown instance ${index}`);
    return instance;
  }
}

export function formatSeconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`;
}
