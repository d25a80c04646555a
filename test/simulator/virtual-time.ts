import { AsyncLocalStorage } from 'node:async_hooks';
import { createRequire, syncBuiltinESMExports } from 'node:module';

const require = createRequire(import.meta.url);
const timers: Record<string, unknown> = require('node:timers');
const timerPromises: Record<string, unknown> = require('node:timers/promises');
const { setImmediate: realSetImmediate, Date: RealDate } = globalThis;

/** A simulated process. Its code runs in this thread, but its timers and answers come only while it runs. */
export interface Process {
  readonly name: string;
  state: 'running' | 'frozen' | 'dead';
  /** How far the clock of its computer is ahead of the true time, ms. */
  clockOffsetMs: number;
  /** What came while it was frozen, in order. */
  deferred: (() => void)[];
}

interface Timer {
  id: number;
  /** Ms since the epoch. */
  at: number;
  run(): void;
  process: Process | undefined;
  intervalMs: number | undefined;
}

const currentProcess = new AsyncLocalStorage<Process | undefined>();

export const getProcess = (): Process | undefined => currentProcess.getStore();
export const runIn = <Result>(process: Process | undefined, run: () => Result): Result =>
  currentProcess.run(process, run);

/** Calls `run` for a process: now, after it has thawed, or never if it is dead. */
export function runWhileAlive(process: Process | undefined, run: () => void): void {
  if (process?.state === 'dead') return;
  if (process?.state === 'frozen') process.deferred.push(run);
  else run();
}

/** Time that passes only when the simulation says so. */
export interface VirtualTime {
  /** The true time, ms since the epoch. */
  now(): number;
  /** Sets the time, when no process runs. */
  set(time: number): void;
  /** Calls `run` after `ms`, outside every process. */
  after(ms: number, run: () => void): void;
  /** Runs all timers until `time` in order, with what they cause, and stops earlier if `isDone` says so. */
  runUntil(time: number, isDone?: () => boolean): Promise<void>;
  /** Removes all timers. */
  clear(): void;
}

/**
 * Replaces the timers, `Date` and `performance.now` of this process, also for modules that have imported them by name: Node
 * writes changes of its modules through to such imports. Each simulated process reads its own computer's clock.
 */
export function installVirtualTime(): VirtualTime {
  /** Sorted by time, and by number for the same time. */
  let pending: Timer[] = [];
  let [time, lastId, immediateCount] = [0, 0, 0];
  const insert = (timer: Timer) => {
    let index = pending.length;
    while (index > 0 && (pending[index - 1]?.at ?? 0) > timer.at) index -= 1;
    pending.splice(index, 0, timer);
  };
  const add = (callback: () => void, ms: unknown, intervalMs?: number) => {
    lastId += 1;
    const at = time + Math.max(0, Math.ceil(Number(ms) || 0));
    insert({ id: lastId, at, run: AsyncLocalStorage.bind(callback), process: getProcess(), intervalMs });
    return lastId;
  };
  const remove = (handle: unknown) => {
    const id = typeof handle === 'object' && handle !== null && 'id' in handle ? handle.id : handle;
    const index = pending.findIndex((timer) => timer.id === id);
    if (index >= 0) pending.splice(index, 1);
  };
  const createHandle = (id: number) => {
    const handle = {
      id,
      ref: () => handle,
      unref: () => handle,
      hasRef: () => true,
      refresh: () => handle,
      close: () => remove(id),
      [Symbol.toPrimitive]: () => id,
      [Symbol.dispose]: () => remove(id),
    };
    return handle;
  };
  const setTimer = (callback: (...args: unknown[]) => void, ms?: number, ...args: unknown[]) =>
    createHandle(add(() => callback(...args), ms));
  const setRepeatedTimer = (callback: (...args: unknown[]) => void, ms = 1, ...args: unknown[]) =>
    createHandle(add(() => callback(...args), ms, Math.max(1, ms)));
  const wait = (ms?: number, value?: unknown, { signal }: { signal?: AbortSignal } = {}) =>
    new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason);
      const id = add(() => resolve(value), ms);
      const abort = () => {
        remove(id);
        reject(signal?.reason);
      };
      signal?.addEventListener('abort', abort, { once: true });
    });
  /** An immediate takes no time, so it stays real. It is counted, so that the simulation waits for it. */
  const setCountedImmediate = (callback: (...args: unknown[]) => void, ...args: unknown[]) => {
    const process = getProcess();
    const handle = { id: -1, isCancelled: false, ref: () => handle, unref: () => handle, hasRef: () => true };
    immediateCount += 1;
    realSetImmediate(() => {
      immediateCount -= 1;
      if (!handle.isCancelled) runWhileAlive(process, () => callback(...args));
    });
    return handle;
  };
  const clearCountedImmediate = (handle: { isCancelled?: boolean } | undefined) => {
    if (handle) handle.isCancelled = true;
  };
  const readComputerTime = () => time + (getProcess()?.clockOffsetMs ?? 0);
  class VirtualDate extends RealDate {
    constructor(...args: [] | [number | string | Date]) {
      if (args.length === 0) super(readComputerTime());
      else super(...(args as [number]));
    }
    static override now = readComputerTime;
  }
  const timeOut = (ms: number) => {
    const controller = new AbortController();
    add(() => controller.abort(new DOMException('The operation timed out', 'TimeoutError')), ms);
    return controller.signal;
  };
  const timerFunctions = {
    setTimeout: setTimer,
    setInterval: setRepeatedTimer,
    setImmediate: setCountedImmediate,
    clearTimeout: remove,
    clearInterval: remove,
    clearImmediate: clearCountedImmediate,
  };
  const waitForImmediate = (value?: unknown) =>
    new Promise((resolve) => setCountedImmediate(() => resolve(value)));
  replaceAll([
    [globalThis, { ...timerFunctions, Date: VirtualDate }],
    [timers, timerFunctions],
    [timerPromises, { setTimeout: wait, setImmediate: waitForImmediate }],
    // Outside of processes only the database reads it, whose prepared statements would otherwise expire all the time.
    [performance, { now: () => (getProcess() ? time : 0) }],
    [AbortSignal, { timeout: timeOut }],
  ]);
  /** Lets everything end that needs no more time. */
  async function settle() {
    do await new Promise((resolve) => realSetImmediate(resolve));
    while (immediateCount > 0);
  }
  return {
    now: () => time,
    set: (newTime) => {
      time = newTime;
    },
    after: (ms, run) => void runIn(undefined, () => add(run, ms)),
    clear: () => {
      pending = [];
    },
    async runUntil(end, isDone = () => false) {
      await settle();
      while (!isDone()) {
        const [next] = pending;
        if (!next || next.at > end) {
          time = end;
          return;
        }
        pending.shift();
        time = Math.max(time, next.at);
        if (next.intervalMs !== undefined) insert({ ...next, at: time + next.intervalMs });
        runWhileAlive(next.process, next.run);
        await settle();
      }
    },
  };
}

function replaceAll(replacements: readonly (readonly [object, Readonly<Record<string, unknown>>])[]): void {
  for (const [target, values] of replacements)
    for (const [name, value] of Object.entries(values))
      Object.defineProperty(target, name, { value, configurable: true, writable: true });
  syncBuiltinESMExports();
}
