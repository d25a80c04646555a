import { deleteFile } from '../interactions/delete-file.ts';
import { sendEvent } from '../interactions/send-event.ts';
import type { Json } from '../json.ts';
import { Refusal } from '../refusal.ts';
import { SLACK_LIMITS } from '../rules/slack-limits.ts';
import { SNIPPET_TYPES } from '../rules/snippet-types.ts';
import { forEachApp } from '../state/apps.ts';
import { buildFileInfo } from '../state/file-object.ts';
import { createPendingFile, findFile, MAX_FILE_BYTES } from '../state/files.ts';
import type { StoredFile } from '../state/saved-file.ts';
import { type Call, type Method, readRequired, readText } from './call.ts';

/** Announces an upload. Returns the address for its bytes, and the id of the file. */
export const filesGetUploadURLExternal: Method = (call) => {
  const { site } = call;
  const name = readRequired(call, 'filename');
  const size = Number(readRequired(call, 'length'));
  if (!Number.isInteger(size) || size < 0) throw new Refusal('invalid_arguments');
  if (size === 0) throw new Refusal('missing_argument');
  if (size > MAX_FILE_BYTES) throw new Refusal('file_upload_size_restricted');
  const snippetType = readText(call, 'snippet_type');
  if (snippetType !== undefined && !SNIPPET_TYPES.has(snippetType)) throw new Refusal('unknown_snippet_type');
  if (snippetType !== undefined && size > SLACK_LIMITS.snippetBytes.value)
    throw new Refusal('snippet_too_large');
  // Slack's SDK says alt_text, its reference alt_txt.
  const altText = readText(call, 'alt_txt') ?? readText(call, 'alt_text');
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
};

function readKnownFile(call: Call): StoredFile {
  const file = findFile(call.site, readRequired(call, 'file'), true);
  if (!file || file.completedAt === undefined) throw new Refusal('file_not_found');
  if (file.deleted === true) throw new Refusal('file_deleted');
  return file;
}

export const filesInfo: Method = (call): Json => ({
  file: buildFileInfo(call.site, readKnownFile(call)),
  comments: [],
  response_metadata: { next_cursor: '' },
});

/** Deletes a file that the app uploaded, and removes it from all messages. */
export const filesDelete: Method = (call) => {
  const { site } = call;
  const file = readKnownFile(call);
  if (file.user !== site.state.app.botUserId) throw new Refusal('cant_delete_file');
  deleteFile(site, file);
  const event = { file_id: file.id, channel_ids: file.shares.map(({ channel }) => channel) };
  forEachApp(site, (app) => sendEvent(app, 'file_deleted', event));
  return {};
};
