import { fileURLToPath } from 'node:url';
import { type RunningCommand, startCommand } from '../../support/command.ts';
import { type DatabaseProxy, startDatabaseProxy, targetOf } from '../../support/database-proxy.ts';

const SHIFTED_CLOCK = fileURLToPath(new URL('shifted-clock.cjs', import.meta.url));
/** A supervisor starts a process again after so long, ms. */
const AGAIN_MS = 1_000;
/** How much of a log's end shows why a process ended. */
const LOG_END = 3_000;
const ASK_MS = 2_500;

/** A process that ended though nobody killed it. */
export interface OwnEnd {
  instance: string;
  at: number;
  /** It had not come up yet. */
  isStarting: boolean;
  status: string;
  logEnd: string;
}

/**
 * One instance of the app, started as `npm start` does, with a way to the database of its own. A supervisor keeps it
 * alive: whatever ends it, it is started again at once, each time with another clock.
 */
export class Instance {
  readonly name: string;
  readonly proxy: DatabaseProxy;
  readonly ownEnds: OwnEnd[] = [];
  /** Rises with all that excuses it from being ready for a moment: its start, a freeze, a lost socket. */
  disturbed = 0;
  isFrozen = false;
  readonly #logs: string[] = [];
  readonly #env: Record<string, string>;
  readonly #nextOffset: () => number;
  readonly #told: (text: string) => void;
  #running: RunningCommand | undefined;
  #port: string | undefined;
  #isExpected = false;
  #isOver = false;

  private constructor(proxy: DatabaseProxy, options: InstanceOptions) {
    this.proxy = proxy;
    this.name = options.name;
    this.#env = { ...options.env, DATABASE_URL: proxy.url(options.databaseUrl), PORT: '0' };
    this.#nextOffset = options.nextOffset;
    this.#told = options.told;
  }

  static async start(options: InstanceOptions): Promise<Instance> {
    const instance = new Instance(await startDatabaseProxy(targetOf(options.databaseUrl)), options);
    await instance.#begin()?.prints(/Ctrl\+C/);
    return instance;
  }

  /** Everything that it logged, over all its lives. */
  log(): string {
    return [...this.#logs, this.#running?.output() ?? ''].join('\n');
  }

  kill(): void {
    this.#isExpected = true;
    this.isFrozen = false;
    this.#running?.kill('SIGKILL');
  }

  freeze(): void {
    if (this.#running === undefined) return;
    this.isFrozen = true;
    this.disturbed += 1;
    this.#running.kill('SIGSTOP');
  }

  thaw(): void {
    this.isFrozen = false;
    this.disturbed += 1;
    this.#running?.kill('SIGCONT');
  }

  /** Undefined: it is just starting, and has no port yet. */
  async isReady(): Promise<boolean | undefined> {
    if (this.#port === undefined) return undefined;
    try {
      const answer = await fetch(`http://127.0.0.1:${this.#port}/health/ready`, {
        signal: AbortSignal.timeout(ASK_MS),
      });
      return answer.status === 200;
    } catch {
      return false;
    }
  }

  async stop(): Promise<void> {
    this.#isOver = true;
    this.kill();
    await this.#running?.ended;
    await this.proxy.close();
  }

  #begin(): RunningCommand | undefined {
    if (this.#isOver) return undefined;
    const offset = this.#nextOffset();
    this.#isExpected = false;
    this.#port = undefined;
    this.disturbed += 1;
    const running = startCommand('main.ts', {
      env: { ...this.#env, NODE_OPTIONS: `--require=${SHIFTED_CLOCK}`, CLOCK_OFFSET_MS: String(offset) },
    });
    this.#running = running;
    const killed = () => running.kill('SIGKILL');
    process.once('exit', killed);
    void running.ended.then(() => process.off('exit', killed));
    this.#told(`${this.name} starts, its clock ${(offset / 1000).toFixed(0)} s off`);
    running.prints(/Health and metrics {2}port (\d+)/).then(
      ([, port]) => {
        if (this.#running === running) this.#port = port;
        this.disturbed += 1;
        this.#told(`${this.name} is up`);
      },
      () => undefined,
    );
    void running.ended.then((status) => this.#ended(running, String(status)));
    return running;
  }

  #ended(running: RunningCommand, status: string): void {
    const isStarting = this.#port === undefined;
    this.#logs.push(running.output());
    this.#running = undefined;
    this.#port = undefined;
    this.isFrozen = false;
    if (!this.#isExpected) {
      const logEnd = running.output().slice(-LOG_END);
      this.ownEnds.push({ instance: this.name, at: Date.now(), isStarting, status, logEnd });
      this.#told(`${this.name} ENDED BY ITSELF (${status})`);
    }
    setTimeout(() => this.#begin(), AGAIN_MS);
  }
}

interface InstanceOptions {
  name: string;
  env: Record<string, string>;
  /** Of the database itself, behind the proxy. */
  databaseUrl: string;
  nextOffset: () => number;
  told: (text: string) => void;
}
