import { fileURLToPath } from 'node:url';
import { type RunningCommand, startCommand } from '../../test/support/command.ts';
import { type DatabaseProxy, parseTarget, startDatabaseProxy } from '../../test/support/database-proxy.ts';

const SHIFTED_CLOCK = fileURLToPath(new URL('shifted-clock.cjs', import.meta.url));
/** Delay from an exit to the restart. */
const RESTART_DELAY_MS = 1_000;
/** Length of the end of the log that is printed after an unexpected exit, in characters. */
const LOG_END_LENGTH = 3_000;
const READINESS_TIMEOUT_MS = 2_500;
/** OPERATING.md promises that a process ends within this time after SIGTERM. */
const STOP_TIMEOUT_MS = 15_000;
/** After this time, the process ends itself with status 1, even if it hasn't finished. */
const CLOSE_TIMEOUT_MS = 14_000;

/** The exit of a process that was not killed by the benchmark. */
export interface UnexpectedExit {
  instance: string;
  at: number;
  /** Whether the process was still starting. */
  isStarting: boolean;
  status: string;
  logEnd: string;
}

/**
 * An instance of the app, started as `npm start` does, with its own proxy to the database. After each exit it is
 * restarted, as a supervisor would do, but with another clock.
 */
export class Instance {
  readonly name: string;
  readonly proxy: DatabaseProxy;
  readonly unexpectedExits: UnexpectedExit[] = [];
  /** Counts the events after which the instance may not be ready: starts, freezes and lost connections. */
  disturbances = 0;
  isFrozen = false;
  readonly #logs: string[] = [];
  /** The checkout whose version the next process runs. Undefined for this one. */
  folder: string | undefined;
  readonly #env: Record<string, string>;
  readonly #drawClockOffsetMs: () => number;
  readonly #onIncident: (text: string) => void;
  #command: RunningCommand | undefined;
  #port: string | undefined;
  #isKilled = false;
  /** The process that `terminate` stops, and since when, ms. */
  #terminated: { command: RunningCommand; at: number } | undefined;
  #isClosed = false;

  private constructor(proxy: DatabaseProxy, options: InstanceOptions) {
    this.proxy = proxy;
    this.name = options.name;
    this.folder = options.folder;
    this.#env = { ...options.env, DATABASE_URL: proxy.url(options.databaseUrl), PORT: '0' };
    this.#drawClockOffsetMs = options.drawClockOffsetMs;
    this.#onIncident = options.onIncident;
  }

  static async start(options: InstanceOptions): Promise<Instance> {
    const instance = new Instance(await startDatabaseProxy(parseTarget(options.databaseUrl)), options);
    await instance.#startProcess()?.waitForOutput(/Ctrl\+C/);
    return instance;
  }

  /** Undefined while no process runs. */
  get pid(): number | undefined {
    return this.#command?.pid;
  }

  /** Returns the output of all processes that this instance has started so far. */
  readLog(): string {
    return [...this.#logs, this.#command?.readOutput() ?? ''].join('\n');
  }

  kill(): void {
    this.#isKilled = true;
    this.isFrozen = false;
    this.#command?.kill('SIGKILL');
  }

  /** Stops the process as a supervisor does. Resolves when it has ended. */
  async terminate(): Promise<void> {
    const command = this.#command;
    if (command === undefined) return;
    this.#terminated = { command, at: performance.now() };
    command.kill('SIGTERM');
    const killing = setTimeout(() => command.kill('SIGKILL'), STOP_TIMEOUT_MS);
    await command.exit;
    clearTimeout(killing);
  }

  freeze(): void {
    if (this.#command === undefined) return;
    this.isFrozen = true;
    this.disturbances += 1;
    this.#command.kill('SIGSTOP');
  }

  thaw(): void {
    this.isFrozen = false;
    this.disturbances += 1;
    this.#command?.kill('SIGCONT');
  }

  /** Whether the instance reports that it is ready. Undefined while it starts and has no port yet. */
  async isReady(): Promise<boolean | undefined> {
    if (this.#port === undefined) return undefined;
    try {
      const response = await fetch(`http://127.0.0.1:${this.#port}/health/ready`, {
        signal: AbortSignal.timeout(READINESS_TIMEOUT_MS),
      });
      return response.status === 200;
    } catch {
      return false;
    }
  }

  async stop(): Promise<void> {
    this.#isClosed = true;
    this.kill();
    await this.#command?.exit;
    await this.proxy.close();
  }

  #startProcess(): RunningCommand | undefined {
    if (this.#isClosed) return undefined;
    const offsetMs = this.#drawClockOffsetMs();
    this.#isKilled = false;
    this.#port = undefined;
    this.disturbances += 1;
    const command = startCommand('main.ts', {
      env: { ...this.#env, NODE_OPTIONS: `--require=${SHIFTED_CLOCK}`, CLOCK_OFFSET_MS: String(offsetMs) },
      ...(this.folder !== undefined && { folder: this.folder }),
    });
    this.#command = command;
    const kill = () => command.kill('SIGKILL');
    process.once('exit', kill);
    void command.exit.then(() => process.off('exit', kill));
    this.#onIncident(`${this.name} starts with its clock off by ${(offsetMs / 1000).toFixed(0)} s`);
    command.waitForOutput(/Health and metrics {2}port (\d+)/).then(
      ([, port]) => {
        if (this.#command === command) this.#port = port;
        this.disturbances += 1;
        this.#onIncident(`${this.name} is up`);
      },
      () => undefined,
    );
    void command.exit.then((status) => this.#handleExit(command, String(status)));
    return command;
  }

  #handleExit(command: RunningCommand, status: string): void {
    const isStarting = this.#port === undefined;
    this.#logs.push(command.readOutput());
    this.#command = undefined;
    this.#port = undefined;
    this.isFrozen = false;
    const stopMs =
      this.#terminated?.command === command ? performance.now() - this.#terminated.at : undefined;
    // A process that is still starting has nothing to finish, and doesn't handle SIGTERM yet.
    const isStopped =
      stopMs !== undefined &&
      (status === '0' || isStarting || (status === '1' && stopMs >= CLOSE_TIMEOUT_MS));
    if (!this.#isKilled && !isStopped) {
      const logEnd = command.readOutput().slice(-LOG_END_LENGTH);
      this.unexpectedExits.push({ instance: this.name, at: Date.now(), isStarting, status, logEnd });
      this.#onIncident(`${this.name} EXITED UNEXPECTEDLY (${status})`);
    }
    setTimeout(() => this.#startProcess(), RESTART_DELAY_MS);
  }
}

interface InstanceOptions {
  name: string;
  env: Record<string, string>;
  /** The checkout whose version runs. Defaults to this one. */
  folder?: string | undefined;
  /** The address of the database, without the proxy. */
  databaseUrl: string;
  drawClockOffsetMs: () => number;
  onIncident: (text: string) => void;
}
