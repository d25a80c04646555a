import type { Site } from '../site.ts';
import type { StoredMessage } from './saved-state.ts';

/** The address of a message. The address of a reply names its thread too. */
export function buildPermalink(site: Site, { channel, ts, threadTs }: StoredMessage): string {
  const thread = threadTs === undefined ? '' : `?thread_ts=${threadTs}&cid=${channel}`;
  return `${site.url}/archives/${channel}/p${ts.replace('.', '')}${thread}`;
}
