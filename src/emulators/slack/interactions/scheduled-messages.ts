import type { Site } from '../site.ts';
import { findChannel } from '../state/directory.ts';
import { makeId } from '../state/ids.ts';
import type { ScheduledMessage, StoredMessage } from '../state/saved-state.ts';
import { writeMessage } from './write-message.ts';

/** Removes it from the list. Undefined if it isn't there any more. */
export function takeScheduled(site: Site, id: string): ScheduledMessage | undefined {
  const found = site.state.scheduled.find((entry) => entry.id === id);
  site.state.scheduled = site.state.scheduled.filter((entry) => entry !== found);
  site.touch();
  return found;
}

/**
 * Sends a due message. One with metadata is never sent (docs.slack.dev, "chat.scheduleMessage", bug alert), nor one into
 * a channel that the app has left or that was archived.
 */
function sendScheduled(site: Site, id: string): void {
  const due = takeScheduled(site, id);
  if (!due || due.message.metadata) return;
  const channel = findChannel(site, due.message.channel);
  if (!channel || channel.archived === true || !channel.members.includes(site.state.app.botUserId)) return;
  writeMessage(site, due.message);
}

function sendWhenDue(site: Site, { id, postAt }: ScheduledMessage): void {
  site.runAfter(Math.max(0, postAt - site.now()), () => sendScheduled(site, id));
}

/** Waits for the messages that were scheduled before the workspace was restarted. */
export function resumeScheduled(site: Site): void {
  for (const entry of site.state.scheduled) sendWhenDue(site, entry);
}

export function scheduleMessage(
  site: Site,
  postAt: number,
  message: Omit<StoredMessage, 'ts'>,
): ScheduledMessage {
  const entry = { id: makeId('Q'), postAt, madeAt: site.now(), message };
  site.state.scheduled.push(entry);
  site.touch();
  sendWhenDue(site, entry);
  return entry;
}
