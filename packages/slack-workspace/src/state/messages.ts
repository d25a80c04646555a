import type { Message, ServerMessage } from '../protocol.ts';
import type { Site } from '../site.ts';
import { canSee, findChannel } from './directory.ts';
import { buildFileEntry, findFile } from './files.ts';
import type { MessageContent, StoredMessage } from './saved-state.ts';
import { SLACKBOT } from './user-object.ts';

/** Takes the next ts, such as `1595926230.009600`: later than all earlier ones, even if the clock stands still. */
export function takeNextTs(site: Site): string {
  const [lastSecond = '0', lastPart = '0'] = site.state.lastTs.split('.');
  const last = Number(lastSecond) * 1e6 + Number(lastPart);
  const micro = Math.max(Math.floor(site.now() * 1000), last + 1);
  const ts = `${Math.floor(micro / 1e6)}.${String(micro % 1e6).padStart(6, '0')}`;
  site.state.lastTs = ts;
  return ts;
}

function findReaders(site: Site, message: StoredMessage): string[] {
  const channel = findChannel(site, message.channel);
  if (message.ephemeralTo !== undefined) return [message.ephemeralTo];
  return site.state.people
    .filter((person) => channel && canSee(site, channel, person.id))
    .map((person) => person.id);
}

/** Builds a message for the page of this person. Without a person, for everybody. */
function buildPageMessage(site: Site, message: StoredMessage, person?: string): Message {
  const { files, metadata: _, details: __, run: ____, stream, ...stored } = message;
  const isStreaming = stream !== undefined && !stream.isComplete;
  const isHidden =
    isStreaming && stream.recipient !== undefined && person !== undefined && person !== stream.recipient;
  const { blocks: ___, ...bare } = stored;
  const rest = {
    ...(isHidden ? { ...bare, ...stream.first } : stored),
    ...(isStreaming ? { isStreaming } : {}),
  };
  if (!files) return rest;
  return { ...rest, files: files.flatMap((id) => findFile(site, id) ?? []).map(buildFileEntry) };
}

function updatePages(site: Site, message: StoredMessage, type: 'message' | 'message_changed'): void {
  const update: ServerMessage = { type, message: buildPageMessage(site, message) };
  const { recipient, isComplete = true } = message.stream ?? {};
  const isForOne = type === 'message_changed' && !isComplete && recipient !== undefined;
  site.audience.sendTo(isForOne ? [recipient] : findReaders(site, message), update);
}

/** Stores the changed message in place of the one with the same ts. */
export function replaceMessage(site: Site, changed: StoredMessage): void {
  const list = site.state.messages[changed.channel] ?? [];
  site.state.messages[changed.channel] = list.map((entry) => (entry.ts === changed.ts ? changed : entry));
  site.touch();
  updatePages(site, changed, 'message_changed');
}

function recountReplies(site: Site, reply: StoredMessage): void {
  if (!isReply(reply)) return;
  const list = site.state.messages[reply.channel] ?? [];
  const first = list.find((message) => message.ts === reply.threadTs);
  if (first) replaceMessage(site, withReplyCounts(first, list));
}

/** Stores a new message, gives it the next ts, and shows it on all pages of its readers. */
export function storeMessage(site: Site, message: Omit<StoredMessage, 'ts'>): StoredMessage {
  const stored = { ...message, ts: takeNextTs(site) };
  const list = site.state.messages[message.channel] ?? [];
  list.push(stored);
  site.state.messages[message.channel] = list;
  site.touch();
  updatePages(site, stored, 'message');
  recountReplies(site, stored);
  return stored;
}

export function findMessage(site: Site, channel: string, ts: string): StoredMessage | undefined {
  return site.state.messages[channel]?.find((message) => message.ts === ts);
}

/** Replaces the content of a message. Removes what `content` doesn't have. */
export function changeMessage(
  site: Site,
  message: StoredMessage,
  content: MessageContent & Pick<StoredMessage, 'files' | 'metadata'>,
): StoredMessage {
  const { blocks: _, metadata: __, attachments: ___, ...unchanged } = message;
  // Slack marks a message as edited only if it has no blocks, so that people see its text.
  const changed: StoredMessage = content.blocks
    ? { ...unchanged, ...content }
    : { ...unchanged, ...content, edited: true };
  replaceMessage(site, changed);
  return changed;
}

/** Shows a message again on all pages of its readers, because its files changed. */
export function redrawMessage(site: Site, message: StoredMessage): void {
  updatePages(site, message, 'message_changed');
}

/** Deletes a message. If it has replies, a tombstone replaces it, as Slack calls it. */
export function deleteMessage(site: Site, message: StoredMessage): void {
  const { channel, ts, replyCount, replyUsers, latestReply } = message;
  if (replyCount !== undefined && replyUsers && latestReply !== undefined) {
    const text = 'This message was deleted.';
    const tombstone = { channel, ts, subtype: 'tombstone', user: SLACKBOT.id, text };
    replaceMessage(site, { ...tombstone, replyCount, replyUsers, latestReply });
    return;
  }
  const list = site.state.messages[channel] ?? [];
  site.state.messages[channel] = list.filter((entry) => entry.ts !== ts);
  site.touch();
  site.audience.sendTo(findReaders(site, message), { type: 'message_deleted', channel, ts });
  recountReplies(site, message);
}

/** The messages of a channel that this person can read, oldest first. */
export function listMessages(site: Site, channel: string, person: string): Message[] {
  return (site.state.messages[channel] ?? [])
    .filter((message) => message.ephemeralTo === undefined || message.ephemeralTo === person)
    .map((message) => buildPageMessage(site, message, person));
}

/** The number of users in `reply_users`. */
const MAX_REPLY_USERS = 5;

/** Whether a message is a reply. The first message of a thread and ephemeral messages aren't. */
export function isReply(message: StoredMessage): boolean {
  return (
    message.threadTs !== undefined && message.threadTs !== message.ts && message.ephemeralTo === undefined
  );
}

/** Updates the counts of replies in the first message of a thread. `messages` are all of the channel, oldest first. */
function withReplyCounts(first: StoredMessage, messages: readonly StoredMessage[]): StoredMessage {
  const { replyCount: _, replyUsers: __, latestReply: ___, ...bare } = first;
  const replies = messages.filter((message) => message.threadTs === first.ts && isReply(message));
  const last = replies.at(-1);
  if (!last) return bare;
  const replyUsers = [...new Set(replies.map((reply) => reply.user))].slice(0, MAX_REPLY_USERS);
  return { ...bare, replyCount: replies.length, replyUsers, latestReply: last.ts };
}

/** The address of a message. The address of a reply names its thread too. */
export function buildPermalink(site: Site, { channel, ts, threadTs }: StoredMessage): string {
  const thread = threadTs === undefined ? '' : `?thread_ts=${threadTs}&cid=${channel}`;
  return `${site.url}/archives/${channel}/p${ts.replace('.', '')}${thread}`;
}
