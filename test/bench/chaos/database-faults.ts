import { setTimeout as delay } from 'node:timers/promises';
import { Client } from 'pg';
import type { Fault } from './fault-plan.ts';
import type { Instance } from './instance.ts';
import type { ReadinessWatch } from './readiness.ts';
import type { World } from './world.ts';

type Of<Kind extends Fault['kind']> = Fault & { kind: Kind };

/**
 * Faults of the database and of the way to it. They overlap: what one of them ends must not end what another has begun.
 * Each resolves, once it is over, with the name under which it is counted.
 */
export class DatabaseFaults {
  readonly #world: World;
  readonly #readiness: ReadinessWatch;
  /** What each instance's network meets: the latest fault. */
  readonly #latest = new Map<Instance, Fault>();
  #isAway = false;

  constructor(world: World, readiness: ReadinessWatch) {
    this.#world = world;
    this.#readiness = readiness;
  }

  async restart({ how, ms }: Of<'restart-database'>): Promise<string> {
    // It can be stopped once only.
    if (this.#isAway) return 'restart skipped, it was away already';
    this.#isAway = true;
    this.#readiness.interrupt(this.#world.instances);
    this.#world.tell(`Postgres stops (${how}), away for ${seconds(ms)}`);
    await this.#world.postgres.restart(how, ms);
    this.#isAway = false;
    this.#world.tell('Postgres is back');
    this.#isBack(this.#world.instances);
    return `restart ${how}`;
  }

  async terminate({ count }: Of<'terminate-backends'>): Promise<string> {
    if (this.#isAway) return 'terminate skipped, it was away';
    this.#world.tell(`${count} backends are terminated`);
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
      return 'terminate failed, it was away';
    } finally {
      await client.end().catch(() => undefined);
    }
    this.#isBack(this.#world.instances);
    return 'terminate backends';
  }

  async network(fault: Of<'swallow' | 'delay-answers'>): Promise<string> {
    const { instances } = this.#world;
    const met = fault.instance === undefined ? instances : [this.#instance(fault.instance)];
    const names = met.map(({ name }) => name).join(', ');
    this.#readiness.interrupt(met);
    for (const instance of met) {
      this.#latest.set(instance, fault);
      if (fault.kind === 'swallow') instance.proxy.swallow(fault);
      else instance.proxy.delayAnswers(fault.lateMs);
    }
    const what =
      fault.kind === 'swallow'
        ? `silent cut${fault.newOnesPass ? ' of what is connected' : ''}`
        : `answers ${seconds(fault.lateMs)} late`;
    this.#world.tell(`${names}: ${what} for ${seconds(fault.ms)}`);
    await delay(fault.ms);
    const over = met.filter((instance) => this.#latest.get(instance) === fault);
    for (const instance of over) {
      this.#latest.delete(instance);
      instance.proxy.restore();
    }
    this.#world.tell(`${names}: the network is as usual`);
    this.#isBack(over);
    return fault.kind === 'swallow' ? 'silent cut' : 'late answers';
  }

  async loseAnswers({ instance: index, to, count, ms }: Of<'lose-answers'>): Promise<string> {
    const instance = this.#instance(index);
    const over = delay(ms, false);
    for (let left = count; left > 0; left -= 1) {
      const isLost = await Promise.race([this.#isLost(instance, to), over]);
      if (!isLost) return left === count ? 'lost answer, not met in time' : 'lost answers';
    }
    return 'lost answers';
  }

  async #isLost(instance: Instance, to: RegExp): Promise<boolean> {
    const isLost = await instance.proxy.loseNextAnswer(to);
    if (isLost) {
      this.#world.tell(`${instance.name}: the answer to ${to} is lost`);
      this.#isBack([instance]);
    }
    return isLost;
  }

  async lateAnswer(fault: Of<'late-answer'>): Promise<string> {
    const instance = this.#instance(fault.instance);
    const late = `${instance.name}: the answer to ${fault.to} comes ${seconds(fault.lateMs)} late`;
    const executed = instance.proxy.delayNextAnswer(fault.lateMs, fault.to).then((isSo) => {
      if (isSo) this.#world.tell(late);
      return isSo;
    });
    const isMet = await Promise.race([executed, delay(fault.ms, false)]);
    return isMet ? 'late answer' : 'late answer, not met in time';
  }

  /** What can reach the database again now shall be ready soon. */
  #isBack(instances: readonly Instance[]): void {
    if (this.#isAway) return;
    for (const instance of instances) {
      if (!this.#latest.has(instance)) this.#readiness.measure(instance);
    }
  }

  #instance(index: number): Instance {
    const instance = this.#world.instances[index];
    if (!instance) throw new Error(`there is no instance ${index}`);
    return instance;
  }
}

export function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`;
}
