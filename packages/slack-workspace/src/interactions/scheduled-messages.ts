import type { Site } from '../site.ts';
import { findChannel } from '../state/directory.ts';
import { makeId } from '../state/ids.ts';
import type { ScheduledMessage, StoredMessage } from '../state/saved-state.ts';
import { writeMessage } from './write-message.ts';

/** Removes a message from the list. Returns undefined if it isn't in the list any more. */
export function removeScheduled(site: Site, id: string): ScheduledMessage | undefined {
  const found = site.state.scheduled.find((entry) => entry.id === id);
  site.state.scheduled = site.state.scheduled.filter((entry) => entry !== found);
  site.touch();
  return found;
}

/**
 * Sends a due message. Slack never sends one with metadata (docs.slack.dev, "chat.scheduleMessage", bug alert), or to
 * an archived channel, or to one that the app has left.
 */
function sendScheduled(site: Site, id: string): void {
  const due = removeScheduled(site, id);
  if (!due || due.message.metadata) return;
  const channel = findChannel(site, due.message.channel);
  if (!channel || channel.archived === true || !channel.members.includes(site.state.app.botUserId)) return;
  writeMessage(site, due.message);
}

function sendWhenDue(site: Site, { id, postAt }: ScheduledMessage): void {
  site.runAfter(Math.max(0, postAt - site.now()), () => sendScheduled(site, id));
}

/** Schedules the stored messages again after a restart of the workspace. */
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
