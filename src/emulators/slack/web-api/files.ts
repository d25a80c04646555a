import { eventTs, sendEvent } from '../interactions/send-event.ts';
import { takeAwayFile } from '../interactions/take-away-file.ts';
import type { Json } from '../json.ts';
import { Refusal } from '../refusal.ts';
import { SLACK_LIMITS } from '../rules/slack-limits.ts';
import { SNIPPET_TYPES } from '../rules/snippet-types.ts';
import { forEachApp } from '../state/apps.ts';
import { fileInfo } from '../state/file-object.ts';
import { createPendingFile, findFile, MAX_FILE_BYTES } from '../state/files.ts';
import type { StoredFile } from '../state/saved-file.ts';
import { type Call, type Method, neededArg, textArg } from './call.ts';

/** An address for the bytes, and the id that the file will have. */
export const filesGetUploadURLExternal: Method = (call) => {
  const { site } = call;
  const name = neededArg(call, 'filename');
  const size = Number(neededArg(call, 'length'));
  if (!Number.isInteger(size) || size < 0) throw new Refusal('invalid_arguments');
  if (size === 0) throw new Refusal('missing_argument');
  if (size > MAX_FILE_BYTES) throw new Refusal('file_upload_size_restricted');
  const snippet = textArg(call, 'snippet_type');
  if (snippet !== undefined && !SNIPPET_TYPES.has(snippet)) throw new Refusal('unknown_snippet_type');
  if (snippet !== undefined && size > SLACK_LIMITS.snippetBytes.value) throw new Refusal('snippet_too_large');
  // Slack's own SDK writes alt_text, its documentation alt_txt.
  const altText = textArg(call, 'alt_txt') ?? textArg(call, 'alt_text');
  if ((altText ?? '').length > SLACK_LIMITS.altTextLength.value) throw new Refusal('alt_txt_too_large');
  const user = site.state.app.botUserId;
  const file = createPendingFile(site, {
    name,
    size,
    user,
    ...(altText !== undefined && { altText }),
    ...(snippet !== undefined && { snippetType: snippet }),
  });
  return { upload_url: `${site.url}/upload/v1/${file.ticket}`, file_id: file.id };
};

function knownFile(call: Call): StoredFile {
  const file = findFile(call.site, neededArg(call, 'file'), true);
  if (!file || file.completedAt === undefined) throw new Refusal('file_not_found');
  if (file.deleted === true) throw new Refusal('file_deleted');
  return file;
}

export const filesInfo: Method = (call): Json => ({
  file: fileInfo(call.site, knownFile(call)),
  comments: [],
  response_metadata: { next_cursor: '' },
});

/** Only what the app uploaded itself. It goes from every message that showed it. */
export const filesDelete: Method = (call) => {
  const { site } = call;
  const file = knownFile(call);
  if (file.user !== site.state.app.botUserId) throw new Refusal('cant_delete_file');
  takeAwayFile(site, file);
  const channels = file.shares.map(({ channel }) => channel);
  const event = { type: 'file_deleted', file_id: file.id, channel_ids: channels, event_ts: eventTs(site) };
  forEachApp(site, (app) => sendEvent(app, 'file_deleted', event));
  return {};
};
