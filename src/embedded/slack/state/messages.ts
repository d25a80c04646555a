import type { Message } from '../protocol.ts';
import type { Site } from '../site.ts';
import { canSee, channelById } from './directory.ts';
import type { StoredMessage } from './saved-state.ts';

/** Older messages of a channel are forgotten. */
const KEPT = 2_000;

/** `1595926230.009600`: unique and later than every one before, also when the clock stands still. */
function nextTs(site: Site): string {
  const [lastSecond = '0', lastPart = '0'] = site.state.lastTs.split('.');
  const last = Number(lastSecond) * 1e6 + Number(lastPart);
  const micro = Math.max(Math.floor(site.now() * 1000), last + 1);
  const ts = `${Math.floor(micro / 1e6)}.${String(micro % 1e6).padStart(6, '0')}`;
  site.state.lastTs = ts;
  return ts;
}

function seenBy(site: Site, message: StoredMessage): string[] {
  const channel = channelById(site, message.channel);
  if (message.ephemeralTo !== undefined) return [message.ephemeralTo];
  return site.state.people
    .filter((person) => channel && canSee(channel, person.id))
    .map((person) => person.id);
}

export function postMessage(site: Site, message: Omit<StoredMessage, 'ts'>): StoredMessage {
  const posted = { ...message, ts: nextTs(site) };
  const list = site.state.messages[message.channel] ?? [];
  list.push(posted);
  if (list.length > KEPT) list.shift();
  site.state.messages[message.channel] = list;
  site.touch();
  site.audience.tell(seenBy(site, posted), { type: 'message', message: posted });
  return posted;
}

export function findMessage(site: Site, channel: string, ts: string): StoredMessage | undefined {
  return site.state.messages[channel]?.find((message) => message.ts === ts);
}

/** Gives a message new text and blocks; without blocks it has none afterwards. */
export function changeMessage(
  site: Site,
  message: StoredMessage,
  content: Pick<StoredMessage, 'text' | 'blocks'>,
): void {
  const { blocks: _, ...kept } = message;
  // Slack marks a message as edited only where its text is what is shown.
  const changed: StoredMessage = content.blocks
    ? { ...kept, ...content }
    : { ...kept, ...content, edited: true };
  const list = site.state.messages[message.channel] ?? [];
  site.state.messages[message.channel] = list.map((entry) => (entry.ts === message.ts ? changed : entry));
  site.touch();
  site.audience.tell(seenBy(site, changed), { type: 'message_changed', message: changed });
}

export function deleteMessage(site: Site, message: StoredMessage): void {
  const list = site.state.messages[message.channel] ?? [];
  site.state.messages[message.channel] = list.filter((entry) => entry.ts !== message.ts);
  site.touch();
  site.audience.tell(seenBy(site, message), {
    type: 'message_deleted',
    channel: message.channel,
    ts: message.ts,
  });
}

/** What this person finds in a channel, oldest first. */
export function messagesFor(site: Site, channel: string, person: string): Message[] {
  return (site.state.messages[channel] ?? []).filter(
    (message) => message.ephemeralTo === undefined || message.ephemeralTo === person,
  );
}
