import type { OlderMessages } from '../protocol.ts';
import { Refusal } from '../refusal.ts';
import type { Site } from '../site.ts';
import { listMessages } from '../state/messages.ts';

/** Messages that a page gets at once when it asks for older ones. */
const AT_ONCE = 100;

/** What stands before this ts in a channel, for this person. */
export function olderMessages(site: Site, person: string, channel: string, before: string): OlderMessages {
  const older = listMessages(site, channel, person).filter(({ ts }) => Number(ts) < Number(before));
  return { messages: older.slice(-AT_ONCE), hasMore: older.length > AT_ONCE };
}

/** A whole thread, its first message included. */
export function wholeThread(site: Site, person: string, channel: string, ts: string): OlderMessages {
  const messages = listMessages(site, channel, person).filter(
    (message) => message.ts === ts || message.threadTs === ts,
  );
  if (messages.length === 0) throw new Refusal('thread_not_found');
  return { messages, hasMore: false };
}
