import type { ThreadStatus } from '../protocol.ts';
import type { Site } from '../site.ts';
import { canSee, findChannel } from '../state/directory.ts';

/** "A two minute timeout applies" (docs.slack.dev/reference/methods/assistant.threads.setStatus). */
const STATUS_MS = 2 * 60_000;

/** The app's statuses in threads, such as “is thinking…”. They aren't stored. */
export class ThreadStatuses {
  readonly #statuses = new Map<string, ThreadStatus>();
  readonly #runAfter: (ms: number, run: () => void) => void;
  readonly #onChange: (status: ThreadStatus) => void;

  constructor(runAfter: (ms: number, run: () => void) => void, onChange: (status: ThreadStatus) => void) {
    this.#runAfter = runAfter;
    this.#onChange = onChange;
  }

  get all(): ThreadStatus[] {
    return [...this.#statuses.values()];
  }

  /** Shows a status in a thread. An empty one removes it. */
  set(status: ThreadStatus): void {
    const key = `${status.channel} ${status.threadTs}`;
    if (status.status === '') {
      if (!this.#statuses.delete(key)) return;
    } else {
      this.#statuses.set(key, status);
      this.#runAfter(STATUS_MS, () => {
        if (this.#statuses.get(key) === status) this.clear(status.channel, status.threadTs);
      });
    }
    this.#onChange(status);
  }

  /**
   * Removes a status, because the app sent a message to the thread
   * (docs.slack.dev/reference/methods/assistant.threads.setStatus).
   */
  clear(channel: string, threadTs: string): void {
    this.set({ channel, threadTs, status: '', loadingMessages: [] });
  }

  reset(): void {
    this.#statuses.clear();
  }
}

export function listVisibleStatuses(site: Site, person: string): (ThreadStatus & { name: string })[] {
  return site.apps
    .flatMap((app) => app.statuses.all.map((status) => addName(app, status)))
    .filter((status) => isVisible(site, status, person));
}

function isVisible(site: Site, { channel }: ThreadStatus, person: string): boolean {
  const found = findChannel(site, channel);
  return found !== undefined && canSee(site, found, person);
}

/** Adds the name of the app, unless the status has another name. */
function addName({ manifest }: Site, status: ThreadStatus): ThreadStatus & { name: string } {
  return { ...status, name: status.name ?? manifest.botName };
}

export function sendStatus(site: Site, status: ThreadStatus): void {
  const people = site.state.people.map(({ id }) => id).filter((id) => isVisible(site, status, id));
  site.audience.sendTo(people, { type: 'thread_status', status: addName(site, status) });
}
