import type { Json } from '../json.ts';
import type { Channel } from '../protocol.ts';
import type { Site } from '../site.ts';
import { findAppByUser, forEachApp } from '../state/apps.ts';
import { findChannel } from '../state/directory.ts';
import { changeMessage, deleteMessage, replaceMessage, storeMessage } from '../state/messages.ts';
import type { StoredFile, StoredMessage } from '../state/saved-state.ts';
import { buildMessageObject } from './message-object.ts';
import { makeEventTs, sendEvent } from './payloads.ts';
import { clearStatus } from './statuses.ts';

/** Whether the manifest subscribes to this metadata (docs.slack.dev, "Message metadata events"). */
function isSubscribed(site: Site, metadata: Json): boolean {
  // Work Objects have no event.
  if (metadata.event_type === undefined) return false;
  return site.manifest.metadataSubscriptions.some(
    ({ appId, eventType }) =>
      (appId === '*' || appId === site.state.app.id) &&
      (eventType === '*' || eventType === metadata.event_type),
  );
}

/** `before` is undefined for a new message, and `after` for a deleted one. */
function sendMetadataEvent(
  site: Site,
  channel: Channel,
  { before, after }: { before?: StoredMessage | undefined; after?: StoredMessage | undefined },
): void {
  const [old, metadata, message] = [before?.metadata, after?.metadata, after ?? before];
  const { app, team } = site.state;
  const common = {
    app_id: app.id,
    bot_id: app.botId,
    user_id: message?.user,
    team_id: team.id,
    channel_id: channel.id,
    message_ts: message?.ts,
  };
  if (metadata && !isSubscribed(site, metadata)) return;
  if (metadata && old && JSON.stringify(metadata) !== JSON.stringify(old)) {
    const fields = { ...common, previous_metadata: old, metadata };
    sendEvent(site, 'message_metadata_updated', fields, { channel });
  } else if (metadata && !old) {
    sendEvent(site, 'message_metadata_posted', { ...common, metadata }, { channel });
  } else if (old && !metadata && isSubscribed(site, old)) {
    const deleted = { previous_metadata: old, deleted_ts: makeEventTs(site) };
    sendEvent(site, 'message_metadata_deleted', { ...common, ...deleted }, { channel });
  }
}

/** The message event for each kind of conversation. */
const MESSAGE_EVENTS = {
  public: 'message.channels',
  private: 'message.groups',
  im: 'message.im',
  mpim: 'message.mpim',
};
const CHANNEL_TYPES = { public: 'channel', private: 'group', im: 'im', mpim: 'mpim' };

/** The channel of a message, if the app gets events about it: it must be a member, and the message not ephemeral. */
function findChannelOfEvents(site: Site, message: StoredMessage): Channel | undefined {
  const channel = findChannel(site, message.channel);
  const member = channel?.members.includes(site.state.app.botUserId);
  return member && message.ephemeralTo === undefined ? channel : undefined;
}

/** Sends an event about a message to the apps that get events about it. */
export function notifyMembers(
  site: Site,
  message: StoredMessage,
  type: string,
  buildFields: (app: Site) => Json,
): void {
  forEachApp(site, (app) => {
    const channel = findChannelOfEvents(app, message);
    if (channel) sendEvent(app, type, buildFields(app), { channel });
  });
}

function sendMessageEvent(site: Site, channel: Channel, event: Json): void {
  const where = { channel: channel.id, channel_type: CHANNEL_TYPES[channel.kind] };
  sendEvent(site, MESSAGE_EVENTS[channel.kind], { ...event, ...where }, { channel });
}

/** The common fields of the events for changed and deleted messages. */
function changeFields(site: Site, subtype: string): Json {
  const ts = makeEventTs(site);
  return { type: 'message', subtype, hidden: true, ts, event_ts: ts };
}

/** Stores a new message, shows it to people, and notifies apps. */
export function writeMessage(site: Site, message: Omit<StoredMessage, 'ts'>): StoredMessage {
  const posted = storeMessage(site, message);
  const { channel, threadTs, user } = posted;
  const author = findAppByUser(site, user);
  if (threadTs !== undefined && author) clearStatus(author, channel, threadTs);
  forEachApp(site, (app) => notifyOfMessage(app, posted));
  return posted;
}

function notifyOfMessage(app: Site, posted: StoredMessage): void {
  const channel = findChannelOfEvents(app, posted);
  if (!channel) return;
  const event = { ...buildMessageObject(app, posted), event_ts: posted.ts };
  sendMessageEvent(app, channel, event);
  sendMetadataEvent(app, channel, { after: posted });
  const { botUserId } = app.state.app;
  if (channel.kind !== 'im' && posted.user !== botUserId && posted.text.includes(`<@${botUserId}>`))
    sendEvent(app, 'app_mention', { ...event, type: 'app_mention', channel: channel.id }, { channel });
}

function notifyOfChange(app: Site, before: StoredMessage, after: StoredMessage): void {
  const channel = findChannelOfEvents(app, before);
  if (!channel) return;
  sendMessageEvent(app, channel, {
    ...changeFields(app, 'message_changed'),
    message: buildMessageObject(app, after),
    previous_message: buildMessageObject(app, before),
  });
  sendMetadataEvent(app, channel, { before, after });
}

/** Replaces the content of a message, and notifies apps. */
export function rewriteMessage(
  site: Site,
  message: StoredMessage,
  content: Parameters<typeof changeMessage>[2],
): StoredMessage {
  const changed = changeMessage(site, message, content);
  forEachApp(site, (app) => notifyOfChange(app, message, changed));
  return changed;
}

/** Changes a message without marking it as edited, such as by adding a preview, and notifies apps. */
export function updateMessage(site: Site, message: StoredMessage, changed: StoredMessage): void {
  replaceMessage(site, changed);
  forEachApp(site, (app) => notifyOfChange(app, message, changed));
}

export function removeMessage(site: Site, message: StoredMessage): void {
  deleteMessage(site, message);
  forEachApp(site, (app) => {
    const channel = findChannelOfEvents(app, message);
    if (!channel) return;
    sendMessageEvent(app, channel, {
      ...changeFields(app, 'message_deleted'),
      deleted_ts: message.ts,
      previous_message: buildMessageObject(app, message),
    });
    sendMetadataEvent(app, channel, { before: message });
  });
}

/** Stores a message with files, shows it to people, and notifies apps of it and of each file. */
export function shareFiles(
  site: Site,
  files: readonly StoredFile[],
  message: Omit<StoredMessage, 'ts'>,
): StoredMessage {
  const posted = writeMessage(site, { ...message, files: files.map(({ id }) => id) });
  const { ts, channel, user } = posted;
  for (const file of files) {
    file.shares.push({ channel, ts });
    const about = { file_id: file.id, file: { id: file.id }, user_id: user, channel_id: channel };
    notifyMembers(site, posted, 'file_shared', () => about);
  }
  return posted;
}
