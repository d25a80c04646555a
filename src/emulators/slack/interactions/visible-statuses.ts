import type { ThreadStatus } from '../protocol.ts';
import type { Site } from '../site.ts';
import { canSee, findChannel } from '../state/directory.ts';

/** The statuses of all apps in the threads that this person sees. */
export function listVisibleStatuses(site: Site, person: string): ThreadStatus[] {
  return site.apps
    .flatMap(({ statuses }) => statuses.all)
    .filter((status) => isVisible(site, status, person));
}

function isVisible(site: Site, { channel }: ThreadStatus, person: string): boolean {
  const found = findChannel(site, channel);
  return found !== undefined && canSee(site, found, person);
}

export function sendStatus(site: Site, status: ThreadStatus): void {
  const people = site.state.people.map(({ id }) => id).filter((id) => isVisible(site, status, id));
  site.audience.sendTo(people, { type: 'thread_status', status });
}
