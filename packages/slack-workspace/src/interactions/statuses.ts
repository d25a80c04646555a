import type { ThreadStatus } from '../protocol.ts';
import type { Site } from '../site.ts';
import { findVisibleChannel } from '../state/directory.ts';

/** "A two minute timeout applies" (docs.slack.dev/reference/methods/assistant.threads.setStatus). */
const STATUS_MS = 2 * 60_000;

/** Shows the app's status in a thread, such as “is thinking…”. An empty one removes it. Statuses aren't stored. */
export function setStatus(site: Site, status: ThreadStatus): void {
  const key = `${status.channel} ${status.threadTs}`;
  if (status.status !== '') {
    site.statuses.set(key, status);
    site.runAfter(STATUS_MS, () => {
      if (site.statuses.get(key) === status) clearStatus(site, status.channel, status.threadTs);
    });
  } else if (!site.statuses.delete(key)) return;
  const people = site.state.people
    .map(({ id }) => id)
    .filter((id) => findVisibleChannel(site, status.channel, id));
  site.audience.sendTo(people, { type: 'thread_status', status: addName(site, status) });
}

/** Removes the app's status in a thread, as a message of the app there does. */
export function clearStatus(site: Site, channel: string, threadTs: string): void {
  setStatus(site, { channel, threadTs, status: '', loadingMessages: [] });
}

/** The statuses of all apps in the threads that this person sees. */
export function listVisibleStatuses(site: Site, person: string): (ThreadStatus & { name: string })[] {
  return site.apps
    .flatMap((app) => [...app.statuses.values()].map((status) => addName(app, status)))
    .filter(({ channel }) => findVisibleChannel(site, channel, person));
}

function addName({ manifest }: Site, status: ThreadStatus): ThreadStatus & { name: string } {
  return { ...status, name: status.name ?? manifest.botName };
}
