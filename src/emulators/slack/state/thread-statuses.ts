import type { ThreadStatus } from '../protocol.ts';

/** "A two minute timeout applies" (docs.slack.dev/reference/methods/assistant.threads.setStatus). */
const STATUS_MS = 2 * 60_000;

/** What the app says that it does in threads: “is thinking…”. Nothing of it outlives the workspace. */
export class ThreadStatuses {
  readonly #statuses = new Map<string, ThreadStatus>();
  readonly #after: (ms: number, run: () => void) => void;
  readonly #changed: (status: ThreadStatus) => void;

  constructor(after: (ms: number, run: () => void) => void, changed: (status: ThreadStatus) => void) {
    this.#after = after;
    this.#changed = changed;
  }

  get all(): ThreadStatus[] {
    return [...this.#statuses.values()];
  }

  /** An empty status removes the last one. */
  set(status: ThreadStatus): void {
    const key = `${status.channel} ${status.threadTs}`;
    if (status.status === '') {
      if (!this.#statuses.delete(key)) return;
    } else {
      this.#statuses.set(key, status);
      this.#after(STATUS_MS, () => {
        if (this.#statuses.get(key) === status) this.clear(status.channel, status.threadTs);
      });
    }
    this.#changed(status);
  }

  /** A message of the app in the thread removes its status (docs.slack.dev/reference/methods/assistant.threads.setStatus). */
  clear(channel: string, threadTs: string): void {
    this.set({ channel, threadTs, status: '', loadingMessages: [] });
  }

  reset(): void {
    this.#statuses.clear();
  }
}
