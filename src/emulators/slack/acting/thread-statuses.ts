import { listVisibleStatuses } from '../interactions/visible-statuses.ts';
import type { Site } from '../site.ts';

/** What the app says that it does in the threads of a channel, or in one: `tester is thinking…`. */
export function threadStatuses(site: Site, person: string, channel: string, threadTs?: string): string[] {
  return listVisibleStatuses(site, person)
    .filter((status) => status.channel === channel && (threadTs ?? status.threadTs) === status.threadTs)
    .flatMap(({ name, status, loadingMessages }) => [`${name} ${status}`, ...loadingMessages]);
}
