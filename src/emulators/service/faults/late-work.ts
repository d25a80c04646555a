/** Work that is done after the client was told, or told nothing. */
export class LateWork {
  readonly #waiting = new Map<NodeJS.Timeout, () => void>();
  readonly #running = new Set<Promise<void>>();
  readonly #onFault: (error: unknown) => void;

  constructor(onFault: (error: unknown) => void) {
    this.#onFault = onFault;
  }

  after(ms: number, work: () => Promise<unknown>): void {
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(() => {
      this.#waiting.delete(timer);
      work().catch(this.#onFault).finally(resolve);
    }, ms);
    this.#waiting.set(timer, resolve);
    this.#running.add(promise);
    promise.then(() => this.#running.delete(promise), this.#onFault);
  }

  /** Resolves once nothing is left to be done. */
  async settled(): Promise<void> {
    while (this.#running.size > 0) await Promise.all(this.#running);
  }

  /** What has not begun never will; resolves once what has begun is done. */
  async close(): Promise<void> {
    for (const [timer, resolve] of this.#waiting) {
      clearTimeout(timer);
      resolve();
    }
    this.#waiting.clear();
    await this.settled();
  }
}
