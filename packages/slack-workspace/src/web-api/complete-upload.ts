import { addIds } from '../blocks/add-ids.ts';
import { acceptBlocks } from '../interactions/accept-content.ts';
import { shareFiles } from '../interactions/share-files.ts';
import { getString, isRecord } from '../json.ts';
import type { Channel } from '../protocol.ts';
import { Refusal } from '../refusal.ts';
import type { Site } from '../site.ts';
import { canSee, findChannel, findPerson, openDirectMessage } from '../state/directory.ts';
import { buildFileInfo } from '../state/file-object.ts';
import { completeUpload, findFile } from '../state/files.ts';
import type { StoredFile } from '../state/saved-file.ts';
import type { StoredMessage } from '../state/saved-state.ts';
import { type Call, InvalidArguments, type Method, readJson, readText } from './call.ts';

/** docs.slack.dev/reference/methods/files.completeUploadExternal. */
const MAX_CHANNELS = 100;

/** Reads files of the app whose bytes were received, with their titles. */
function readUploads(call: Call): { file: StoredFile; title: string | undefined }[] {
  const files = readJson(call, 'files', 'invalid_arguments');
  if (!Array.isArray(files) || files.length === 0) {
    throw new InvalidArguments('[ERROR] missing required field: files');
  }
  return files.map((entry: unknown) => {
    const id = isRecord(entry) ? getString(entry, 'id') : undefined;
    const file = id === undefined ? undefined : findFile(call.site, id);
    const isReceived = file && file.ticket === undefined && file.completedAt === undefined;
    if (!isReceived || file.user !== call.site.state.app.botUserId) throw new Refusal('file_not_found');
    return { file, title: isRecord(entry) ? getString(entry, 'title') : undefined };
  });
}

/** `channel_id` takes neither names nor people (bolt-js #2115). */
function requireChannelId(id: string): void {
  const pattern = '^[CGDZ][A-Z0-9]{8,}$';
  if (new RegExp(pattern).test(id)) return;
  const message = `[ERROR] input must match regex pattern: ${pattern} [json-pointer:/channel_id]`;
  throw new InvalidArguments(message);
}

function findUploadChannel(site: Site, id: string): Channel {
  const bot = site.state.app.botUserId;
  const channel = findChannel(site, id);
  if (!channel || !canSee(site, channel, bot)) throw new Refusal('channel_not_found');
  if (channel.archived === true || channel.restricted === true)
    throw new Refusal('posting_to_channel_denied');
  if (!channel.members.includes(bot)) throw new Refusal('not_in_channel');
  return channel;
}

/**
 * Reads `channel_id` or `channels`. In `channels`, a person's id is the direct message with them. Without a channel, the
 * files stay private.
 */
function readChannels(call: Call): Channel[] {
  const channelId = readText(call, 'channel_id');
  if (channelId !== undefined) {
    requireChannelId(channelId);
    return [findUploadChannel(call.site, channelId)];
  }
  const ids = (readText(call, 'channels') ?? '').split(',').filter((id) => id !== '');
  if (ids.length > MAX_CHANNELS) throw new Refusal('channels_limit_exceeded');
  return ids.map((id) =>
    findPerson(call.site, id)
      ? openDirectMessage(call.site, id, call.site.state.app.botUserId)
      : findUploadChannel(call.site, id),
  );
}

function readContent(call: Call): Pick<StoredMessage, 'text' | 'blocks' | 'threadTs'> {
  const text = readText(call, 'initial_comment') ?? '';
  const threadTs = readText(call, 'thread_ts');
  // With a comment, blocks are ignored (docs.slack.dev/reference/methods/files.completeUploadExternal).
  const json = text === '' ? readJson(call, 'blocks', 'invalid_blocks') : undefined;
  const blocks = json === undefined ? [] : addIds(acceptBlocks(call.site, json));
  return {
    text,
    ...(blocks.length > 0 ? { blocks } : {}),
    ...(threadTs === undefined ? {} : { threadTs }),
  };
}

/** Completes uploads. Each channel gets one message with all files. */
export const filesCompleteUploadExternal: Method = (call) => {
  const { site } = call;
  const uploaded = readUploads(call);
  const channels = readChannels(call);
  const content = readContent(call);
  for (const { file, title } of uploaded) completeUpload(site, file, title);
  const files = uploaded.map(({ file }) => file);
  for (const channel of channels) {
    shareFiles(site, files, {
      channel: channel.id,
      user: site.state.app.botUserId,
      subtype: 'file_share',
      ...content,
    });
  }
  return { files: files.map((file) => buildFileInfo(site, file)) };
};
