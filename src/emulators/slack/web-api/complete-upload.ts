import { addIds } from '../blocks/add-ids.ts';
import { acceptBlocks } from '../interactions/accept.ts';
import { eventTs, sendEvent } from '../interactions/send-event.ts';
import { writeMessage } from '../interactions/write-message.ts';
import { isRecord, stringIn } from '../json.ts';
import type { Channel } from '../protocol.ts';
import { Refusal } from '../refusal.ts';
import type { Site } from '../site.ts';
import { forEachApp } from '../state/apps.ts';
import { canSee, findChannel, findPerson, openDirectMessage } from '../state/directory.ts';
import { fileInfo } from '../state/file-object.ts';
import { completeUpload, findFile } from '../state/files.ts';
import type { StoredFile } from '../state/saved-file.ts';
import type { StoredMessage } from '../state/saved-state.ts';
import { type Call, type Method, nestedArg, textArg } from './call.ts';

/** Conversations that one upload is shared with at most (docs.slack.dev, "files.completeUploadExternal"). */
const CHANNELS = 100;

/** Uploads whose bytes have arrived, with their titles. */
function uploadedFiles(call: Call): { file: StoredFile; title: string | undefined }[] {
  const given = nestedArg(call, 'files', 'invalid_arguments');
  if (!Array.isArray(given) || given.length === 0) {
    throw new Refusal('invalid_arguments', {
      response_metadata: { messages: ['[ERROR] missing required field: files'] },
    });
  }
  return given.map((entry: unknown) => {
    const id = isRecord(entry) ? stringIn(entry, 'id') : undefined;
    const file = id === undefined ? undefined : findFile(call.site, id);
    const arrived = file && file.ticket === undefined && file.completedAt === undefined;
    if (!arrived || file.user !== call.site.state.app.botUserId) throw new Refusal('file_not_found');
    return { file, title: isRecord(entry) ? stringIn(entry, 'title') : undefined };
  });
}

/** Neither names nor people stand for a channel (bolt-js #2115). */
function demandChannelId(id: string): void {
  const pattern = '^[CGDZ][A-Z0-9]{8,}$';
  if (new RegExp(pattern).test(id)) return;
  const message = `[ERROR] input must match regex pattern: ${pattern} [json-pointer:/channel_id]`;
  throw new Refusal('invalid_arguments', { response_metadata: { messages: [message] } });
}

function channelFor(site: Site, id: string): Channel {
  const bot = site.state.app.botUserId;
  const channel = findChannel(site, id);
  if (!channel || !canSee(site, channel, bot)) throw new Refusal('channel_not_found');
  if (channel.archived === true || channel.restricted === true)
    throw new Refusal('posting_to_channel_denied');
  if (!channel.members.includes(bot)) throw new Refusal('not_in_channel');
  return channel;
}

/** `channel_id`, or `channels`, where people stand for the direct message with them. None: the file stays private. */
function channelArgs(call: Call): Channel[] {
  const one = textArg(call, 'channel_id');
  if (one !== undefined) {
    demandChannelId(one);
    return [channelFor(call.site, one)];
  }
  const ids = (textArg(call, 'channels') ?? '').split(',').filter((id) => id !== '');
  if (ids.length > CHANNELS) throw new Refusal('channels_limit_exceeded');
  return ids.map((id) =>
    findPerson(call.site, id)
      ? openDirectMessage(call.site, id, call.site.state.app.botUserId)
      : channelFor(call.site, id),
  );
}

function contentArgs(call: Call): Pick<StoredMessage, 'text' | 'blocks' | 'threadTs'> {
  const text = textArg(call, 'initial_comment') ?? '';
  const threadTs = textArg(call, 'thread_ts');
  // With a comment, blocks are left out of account (docs.slack.dev, "files.completeUploadExternal").
  const given = text === '' ? nestedArg(call, 'blocks', 'invalid_blocks') : undefined;
  const blocks = given === undefined ? [] : addIds(acceptBlocks(call.site, given));
  return {
    text,
    ...(blocks.length > 0 ? { blocks } : {}),
    ...(threadTs === undefined ? {} : { threadTs }),
  };
}

function share(site: Site, files: readonly StoredFile[], message: Omit<StoredMessage, 'ts'>): void {
  const { ts, channel } = writeMessage(site, message);
  const user = site.state.app.botUserId;
  for (const file of files) {
    file.shares.push({ channel, ts });
    const about = { file_id: file.id, file: { id: file.id }, user_id: user, channel_id: channel };
    const event = { type: 'file_shared', ...about, event_ts: eventTs(site) };
    forEachApp(site, (app) => sendEvent(app, 'file_shared', event));
  }
}

/** Ends an upload. With conversations, each gets one message that shows all the files. */
export const filesCompleteUploadExternal: Method = (call) => {
  const { site } = call;
  const uploaded = uploadedFiles(call);
  const channels = channelArgs(call);
  const content = contentArgs(call);
  for (const { file, title } of uploaded) completeUpload(site, file, title);
  const files = uploaded.map(({ file }) => file);
  for (const channel of channels) {
    share(site, files, {
      channel: channel.id,
      user: site.state.app.botUserId,
      subtype: 'file_share',
      ...content,
      files: files.map((file) => file.id),
    });
  }
  return { files: files.map((file) => fileInfo(site, file)) };
};
