import { acceptContent, type Content } from '../accept-content.ts';
import { getString, isRecord, type Json } from '../read-blocks.ts';
import { Refusal } from '../refusal.ts';
import { buildMessageObject } from '../slack-objects.ts';
import type { Channel, Message } from '../workspace.ts';
import {
  type Call,
  type Method,
  type Methods,
  readChannel,
  readJson,
  readRequired,
  readText,
} from './call.ts';

const MAX_UPDATED_TEXT_LENGTH = 4_000;

/** `channel` may also be a person's id, also that of a deactivated account. */
function readWritableChannel(call: Call): Channel {
  const { state, workspace } = call;
  const id = readRequired(call, 'channel');
  const channel = workspace.people.has(id) ? state.openDirectMessage(workspace, id) : readChannel(call);
  if (!channel.botIsMember) throw new Refusal('not_in_channel');
  return channel;
}

function readContent(call: Call): Content {
  const blocks = readJson(call, 'blocks', 'invalid_blocks_format');
  return acceptContent(call.workspace, readText(call, 'text') ?? '', blocks);
}

/** Null removes the metadata. Undefined: the call has none. */
function readMetadata(call: Call): Json | null | undefined {
  const metadata = readJson(call, 'metadata', 'invalid_metadata_format');
  if (metadata === undefined) return undefined;
  if (!isRecord(metadata)) throw new Refusal('invalid_metadata_format');
  if (Object.keys(metadata).length === 0) return null;
  if (getString(metadata, 'event_type') === '' || !isRecord(metadata.event_payload))
    throw new Refusal('invalid_metadata_schema');
  return metadata;
}

function readThread(call: Call): string | undefined {
  const thread = readText(call, 'thread_ts');
  if (thread !== undefined && !/^\d+\.\d+$/.test(thread)) throw new Refusal('invalid_thread_ts');
  return thread;
}

/** The app also gets an event for its own message in a direct message. */
function announceOwnMessage({ state, workspace }: Call, channel: Channel, message: Message): void {
  if (channel.kind !== 'im') return;
  const event = {
    ...buildMessageObject(workspace, message),
    type: 'message',
    channel: channel.id,
    channel_type: 'im',
  };
  const description = 'the app’s own message';
  state.events.push(state.createEvent(workspace, event, { person: workspace.botUser, description }));
}

const postMessage: Method = (call) => {
  const { state, workspace } = call;
  const channel = readWritableChannel(call);
  const metadata = readMetadata(call) ?? undefined;
  const about = { channel: channel.id, user: workspace.botUser, threadTs: readThread(call), metadata };
  const message = state.addMessage(workspace, about, readContent(call));
  announceOwnMessage(call, channel, message);
  return { channel: channel.id, ts: message.ts, message: buildMessageObject(workspace, message) };
};

const postEphemeral: Method = (call) => {
  const { state, workspace } = call;
  const channel = readWritableChannel(call);
  const person = readRequired(call, 'user');
  if (!channel.members.includes(person)) throw new Refusal('user_not_in_channel');
  const about = { channel: channel.id, user: workspace.botUser, threadTs: readThread(call) };
  const message = state.addMessage(workspace, { ...about, ephemeralTo: person }, readContent(call));
  return { message_ts: message.ts };
};

/** Ephemeral messages can't be found. `foreignError` is for messages of others. */
function readOwnMessage(call: Call, channel: Channel, foreignError: string): Message {
  const message = call.state.findMessage(call.workspace, channel.id, readRequired(call, 'ts'));
  if (!message || message.ephemeralTo !== undefined) throw new Refusal('message_not_found');
  if (!message.isByApp) throw new Refusal(foreignError);
  return message;
}

/** A text without blocks removes the blocks. The metadata stays if the call has none. */
const updateMessage: Method = (call) => {
  const { state, workspace } = call;
  const channel = readChannel(call);
  const message = readOwnMessage(call, channel, 'cant_update_message');
  const text = readText(call, 'text') ?? '';
  if (text.length > MAX_UPDATED_TEXT_LENGTH) throw new Refusal('msg_too_long');
  const content = readContent(call);
  const metadata = readMetadata(call);
  if (metadata !== undefined) message.metadata = metadata ?? undefined;
  state.changeMessage(workspace, message, content);
  return {
    channel: channel.id,
    ts: message.ts,
    text,
    message: buildMessageObject(workspace, message),
  };
};

const deleteMessage: Method = (call) => {
  const channel = readChannel(call);
  const message = readOwnMessage(call, channel, 'cant_delete_message');
  call.state.deleteMessage(call.workspace, message);
  return { channel: channel.id, ts: message.ts };
};

const getPermalink: Method = (call) => {
  const channel = readChannel(call);
  const message = call.state.findMessage(call.workspace, channel.id, readRequired(call, 'message_ts'));
  if (!message || message.ephemeralTo !== undefined) throw new Refusal('message_not_found');
  const link = `https://${call.workspace.domain}.slack.com/archives/${channel.id}/p${message.ts.replace('.', '')}`;
  return { channel: channel.id, permalink: link };
};

export const chatMethods: Methods = {
  'chat.delete': [deleteMessage, 'chat:write'],
  'chat.getPermalink': [getPermalink],
  'chat.postEphemeral': [postEphemeral, 'chat:write'],
  'chat.postMessage': [postMessage, 'chat:write'],
  'chat.update': [updateMessage, 'chat:write'],
};
