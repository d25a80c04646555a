import { addIds } from '../blocks/add-ids.ts';
import { acceptBlocks } from '../interactions/accept-content.ts';
import { sendEvent } from '../interactions/payloads.ts';
import { removeMessage, shareFiles } from '../interactions/write-message.ts';
import { getString, isRecord } from '../json.ts';
import type { Channel } from '../protocol.ts';
import { Refusal } from '../refusal.ts';
import { createArgumentsRefusal } from '../rules/find-problems.ts';
import { SLACK_LIMITS } from '../rules/slack-limits.ts';
import type { Site } from '../site.ts';
import { forEachApp } from '../state/apps.ts';
import { findPerson, findVisibleChannel, openDirectMessage } from '../state/directory.ts';
import {
  buildFileInfo,
  canReadFile,
  completeUpload,
  createPendingFile,
  findFile,
  MAX_FILE_BYTES,
} from '../state/files.ts';
import { findMessage, redrawMessage } from '../state/messages.ts';
import type { StoredFile, StoredMessage } from '../state/saved-state.ts';
import { makeWordSet } from '../words.ts';
import { bot, type Call, InvalidArguments, type Methods } from './call.ts';

function readKnownFile(call: Call): StoredFile {
  const file = findFile(call.site, call.readRequired('file'), true);
  if (file?.completedAt === undefined || !canReadFile(call.site, file)) throw new Refusal('file_not_found');
  if (file.deleted === true) throw new Refusal('file_deleted');
  return file;
}

/** Deletes a file, and the messages that have no other content. */
function deleteFile(site: Site, file: StoredFile): void {
  file.deleted = true;
  site.fileStore.remove(file.id).catch((error: unknown) => {
    console.error('could not delete a file of the workspace:', error);
  });
  site.touch();
  for (const share of file.shares) {
    const message = findMessage(site, share.channel, share.ts);
    if (!message) continue;
    const hasFiles = (message.files ?? []).some((id) => site.state.files[id]?.deleted !== true);
    if (hasFiles || message.text !== '' || message.blocks) redrawMessage(site, message);
    else removeMessage(site, message);
  }
}

/** Languages and formats of a snippet (docs.slack.dev/reference/objects/file-object#types, those that are text). */
const SNIPPET_TYPES = makeWordSet(`
  applescript auto boxnote c cfm clojure coffeescript cpp csharp css csv d dart diff dockerfile erlang fortran
  fsharp go groovy handlebars haskell haxe html java javascript json kotlin latex lisp lua markdown matlab mumps
  objc ocaml pascal perl php pig powershell puppet python r ruby rust sass scala scheme shell smalltalk sql
  swift text tsv vb vbscript velocity verilog xml yaml
`);

/** docs.slack.dev/reference/methods/files.completeUploadExternal. */
const MAX_CHANNELS = 100;

/** Reads files of the app whose bytes were received, with their titles. */
function readUploads(call: Call): { file: StoredFile; title: string | undefined }[] {
  const files = call.readJson('files', 'invalid_arguments');
  if (!Array.isArray(files) || files.length === 0)
    throw new InvalidArguments('[ERROR] missing required field: files');
  return files.map((entry: unknown) => {
    const id = isRecord(entry) ? getString(entry, 'id') : undefined;
    const file = id === undefined ? undefined : findFile(call.site, id);
    const isReceived = file && file.ticket === undefined && file.completedAt === undefined;
    if (!isReceived || file.user !== call.botUser) throw new Refusal('file_not_found');
    return { file, title: isRecord(entry) ? getString(entry, 'title') : undefined };
  });
}

/** `channel_id` takes neither names nor people (bolt-js #2115). */
function requireChannelId(id: string): void {
  const pattern = /^[CGDZ][A-Z0-9]{8,}$/;
  if (pattern.test(id)) return;
  const message = `input must match regex pattern: ${pattern.source}`;
  throw createArgumentsRefusal([{ message, pointer: '/channel_id' }]);
}

function findUploadChannel(site: Site, id: string): Channel {
  const bot = site.state.app.botUserId;
  const channel = findVisibleChannel(site, id, bot);
  if (!channel) throw new Refusal('channel_not_found');
  if (channel.archived === true || channel.restricted === true)
    throw new Refusal('posting_to_channel_denied');
  if (!channel.members.includes(bot)) throw new Refusal('not_in_channel');
  return channel;
}

/** In `channels`, a person's id is the direct message with them. Without a channel, the files stay private. */
function readChannels(call: Call): Channel[] {
  const channelId = call.readText('channel_id');
  if (channelId !== undefined) {
    requireChannelId(channelId);
    return [findUploadChannel(call.site, channelId)];
  }
  const ids = (call.readText('channels') ?? '').split(',').filter((id) => id !== '');
  if (ids.length > MAX_CHANNELS) throw new Refusal('channels_limit_exceeded');
  return ids.map((id) =>
    findPerson(call.site, id)
      ? openDirectMessage(call.site, id, call.botUser)
      : findUploadChannel(call.site, id),
  );
}

function readContent(call: Call): Pick<StoredMessage, 'text' | 'blocks' | 'threadTs'> {
  const text = call.readText('initial_comment') ?? '';
  const threadTs = call.readText('thread_ts');
  // With a comment, blocks are ignored (docs.slack.dev/reference/methods/files.completeUploadExternal).
  const json = text === '' ? call.readJson('blocks', 'invalid_blocks') : undefined;
  const blocks = json === undefined ? [] : addIds(acceptBlocks(call.site, json));
  return {
    text,
    ...(blocks.length > 0 ? { blocks } : {}),
    ...(threadTs === undefined ? {} : { threadTs }),
  };
}

export const FILE_METHODS: Methods = {
  /** Announces an upload. Returns the address for its bytes, and the id of the file. */
  'files.getUploadURLExternal': bot(4, ['files:write'], (call) => {
    const { site } = call;
    const name = call.readRequired('filename');
    const size = Number(call.readRequired('length'));
    if (!Number.isInteger(size) || size < 0) throw new Refusal('invalid_arguments');
    if (size === 0) throw new Refusal('missing_argument');
    if (size > MAX_FILE_BYTES) throw new Refusal('file_upload_size_restricted');
    const snippetType = call.readText('snippet_type');
    if (snippetType !== undefined && !SNIPPET_TYPES.has(snippetType))
      throw new Refusal('unknown_snippet_type');
    if (snippetType !== undefined && size > SLACK_LIMITS.snippetBytes.value)
      throw new Refusal('snippet_too_large');
    // Slack's SDK says alt_text, its reference alt_txt.
    const altText = call.readText('alt_txt') ?? call.readText('alt_text');
    if ((altText ?? '').length > SLACK_LIMITS.altTextLength.value) throw new Refusal('alt_txt_too_large');
    const user = site.state.app.botUserId;
    const file = createPendingFile(site, {
      name,
      size,
      user,
      ...(altText !== undefined && { altText }),
      ...(snippetType !== undefined && { snippetType }),
    });
    return { upload_url: `${site.url}/upload/v1/${file.ticket}`, file_id: file.id };
  }),
  'files.info': bot(4, ['files:read'], (call) => ({
    file: buildFileInfo(call.site, readKnownFile(call)),
    comments: [],
    response_metadata: { next_cursor: '' },
  })),
  /** Deletes a file that the app uploaded, and removes it from all messages. */
  'files.delete': bot(3, ['files:write'], (call) => {
    const { site } = call;
    const file = readKnownFile(call);
    if (file.user !== site.state.app.botUserId) throw new Refusal('cant_delete_file');
    deleteFile(site, file);
    const event = { file_id: file.id, channel_ids: file.shares.map(({ channel }) => channel) };
    forEachApp(site, (app) => sendEvent(app, 'file_deleted', event));
  }),
  /** Completes uploads. Each channel gets one message with all files. */
  'files.completeUploadExternal': bot(4, ['files:write'], (call) => {
    const { site } = call;
    const uploaded = readUploads(call);
    const channels = readChannels(call);
    const content = readContent(call);
    for (const { file, title } of uploaded) completeUpload(site, file, title);
    const files = uploaded.map(({ file }) => file);
    for (const channel of channels) {
      const message = { channel: channel.id, user: call.botUser, subtype: 'file_share', ...content };
      shareFiles(site, files, message);
    }
    return { files: files.map((file) => buildFileInfo(site, file)) };
  }),
};
