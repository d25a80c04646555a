import type { OlderMessages } from '../protocol.ts';
import { Refusal } from '../refusal.ts';
import type { Site } from '../site.ts';
import { listMessages } from '../state/messages.ts';

/** The number of older messages that the page gets at once. */
const MAX_OLDER_MESSAGES = 100;

/** The newest messages before this ts in a channel, oldest first. */
export function listOlderMessages(
  site: Site,
  person: string,
  channel: string,
  before: string,
): OlderMessages {
  const older = listMessages(site, channel, person).filter(({ ts }) => Number(ts) < Number(before));
  return { messages: older.slice(-MAX_OLDER_MESSAGES), hasMore: older.length > MAX_OLDER_MESSAGES };
}

/** All messages of a thread, including its first. Throws `thread_not_found`. */
export function listThread(site: Site, person: string, channel: string, ts: string): OlderMessages {
  const messages = listMessages(site, channel, person).filter(
    (message) => message.ts === ts || message.threadTs === ts,
  );
  if (messages.length === 0) throw new Refusal('thread_not_found');
  return { messages, hasMore: false };
}
