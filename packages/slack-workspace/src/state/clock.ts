/** The shortest time between two checks of a timer, so that a clock that stands still doesn't keep the process busy. */
const MIN_CHECK_INTERVAL_MS = 50;

/** The clock can't be moved past the year 2099, which would be a mistake. In ms since the epoch. */
export const MAX_CLOCK_TIME = Date.UTC(2100, 0, 1);

interface Timer {
  /** ms since the epoch, by this clock. */
  at: number;
  run: () => void;
  timeout?: NodeJS.Timeout;
}

/** The workspace's clock. It runs like the computer's, and tests can move it. Times are in ms since the epoch. */
export class Clock {
  readonly #systemNow: () => number;
  readonly #onMove: (now: number) => void;
  readonly #timers = new Set<Timer>();
  #offset: number;
  #closed = false;

  /** `onMove` is called after each move. `offset` is the initial lead over the computer's clock, in ms. */
  constructor(systemNow: () => number, onMove: (now: number) => void, offset = 0) {
    this.#systemNow = systemNow;
    this.#onMove = onMove;
    this.#offset = offset;
  }

  /** The lead of this clock over the computer's, in ms. */
  get offset(): number {
    return this.#offset;
  }

  now(): number {
    return this.#systemNow() + this.#offset;
  }

  advance(ms: number): void {
    this.#move(ms);
  }

  /** Sets the clock to a time, from which it continues to run. */
  set(time: Date | number): void {
    this.#move(Number(time) - this.now());
  }

  reset(): void {
    if (this.#offset !== 0) this.#move(-this.#offset);
  }

  /** Calls a function once the clock has advanced by `ms`, also if a test moves it past that time. */
  runAfter(ms: number, run: () => void): void {
    if (this.#closed) return;
    const timer = { at: this.now() + ms, run };
    this.#timers.add(timer);
    this.#runIfDue(timer);
  }

  /** Cancels all timers, and ignores new ones. */
  close(): void {
    this.#closed = true;
    this.cancelTimers();
  }

  cancelTimers(): void {
    for (const { timeout } of this.#timers) clearTimeout(timeout);
    this.#timers.clear();
  }

  #move(ms: number): void {
    this.#offset += ms;
    this.#onMove(this.now());
    for (const timer of [...this.#timers]) this.#runIfDue(timer);
  }

  #runIfDue(timer: Timer): void {
    clearTimeout(timer.timeout);
    const remainingMs = timer.at - this.now();
    if (remainingMs <= 0) {
      this.#timers.delete(timer);
      timer.run();
      return;
    }
    timer.timeout = setTimeout(() => this.#runIfDue(timer), Math.max(remainingMs, MIN_CHECK_INTERVAL_MS));
    timer.timeout.unref();
  }
}
