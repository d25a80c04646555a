import type { ThreadStatus } from '../protocol.ts';
import type { Site } from '../site.ts';
import { canSee, findChannel } from '../state/directory.ts';

/** The statuses of all apps in the threads that this person sees. */
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
