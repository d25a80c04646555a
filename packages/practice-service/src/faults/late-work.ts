/** Work that is executed after the client was answered or disconnected. */
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

  /** Resolves when all work is done. */
  async waitForAll(): Promise<void> {
    while (this.#running.size > 0) await Promise.all(this.#running);
  }

  /** Cancels work that hasn't started, and resolves when the rest is done. */
  async close(): Promise<void> {
    for (const [timer, resolve] of this.#waiting) {
      clearTimeout(timer);
      resolve();
    }
    this.#waiting.clear();
    await this.waitForAll();
  }
}
