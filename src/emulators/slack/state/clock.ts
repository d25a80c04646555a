/** Looks are this far apart at least, where the clock stands still. */
const MIN_CHECK_INTERVAL_MS = 50;

interface Timer {
  at: number;
  run: () => void;
  timer?: NodeJS.Timeout;
}

/** The workspace's clock: it runs like the computer's, and tests can move it. Times in ms since the epoch. */
export class Clock {
  readonly #base: () => number;
  readonly #moved: (now: number) => void;
  readonly #waiting = new Set<Timer>();
  #offset: number;
  #closed = false;

  /** `moved` is called after each move; `offset` (ms) is how far it is ahead at first. */
  constructor(base: () => number, moved: (now: number) => void, offset = 0) {
    this.#base = base;
    this.#moved = moved;
    this.#offset = offset;
  }

  /** ms by which it is ahead of the computer's. */
  get offset(): number {
    return this.#offset;
  }

  now(): number {
    return this.#base() + this.#offset;
  }

  advance(ms: number): void {
    this.#offset += ms;
    this.#tellMoved();
  }

  /** The moment that it shows now; it runs on from there. */
  set(moment: Date | number): void {
    this.#offset += Number(moment) - this.now();
    this.#tellMoved();
  }

  /** It shows the computer's own time again. */
  reset(): void {
    if (this.#offset === 0) return;
    this.#offset = 0;
    this.#tellMoved();
  }

  /** Runs this once so many ms have passed on this clock, also when it is moved past them. */
  runAfter(ms: number, run: () => void): void {
    if (this.#closed) return;
    const waiting = { at: this.now() + ms, run };
    this.#waiting.add(waiting);
    this.#look(waiting);
  }

  /** Nothing that waits is run any more. */
  close(): void {
    this.#closed = true;
    this.cancelTimers();
  }

  /** What waits now is never run. */
  cancelTimers(): void {
    for (const { timer } of this.#waiting) clearTimeout(timer);
    this.#waiting.clear();
  }

  #tellMoved(): void {
    this.#moved(this.now());
    for (const waiting of [...this.#waiting]) this.#look(waiting);
  }

  #look(waiting: Timer): void {
    clearTimeout(waiting.timer);
    const left = waiting.at - this.now();
    if (left <= 0) {
      this.#waiting.delete(waiting);
      waiting.run();
      return;
    }
    waiting.timer = setTimeout(() => this.#look(waiting), Math.max(left, MIN_CHECK_INTERVAL_MS));
    waiting.timer.unref();
  }
}
