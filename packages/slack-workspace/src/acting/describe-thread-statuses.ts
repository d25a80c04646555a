import { listVisibleStatuses } from '../interactions/visible-statuses.ts';
import type { Site } from '../site.ts';

/** The app's statuses in the threads of a channel, or in one thread, such as `tester is thinking…`. */
export function describeThreadStatuses(
  site: Site,
  person: string,
  channel: string,
  threadTs?: string,
): string[] {
  return listVisibleStatuses(site, person)
    .filter((status) => status.channel === channel && (threadTs ?? status.threadTs) === status.threadTs)
    .flatMap(({ name, status, loadingMessages }) => [`${name} ${status}`, ...loadingMessages]);
}
