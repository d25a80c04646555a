import { isRecord } from '../json.ts';
import { Refusal } from '../refusal.ts';
import { SLACK_LIMITS } from '../rules/slack-limits.ts';
import { findChannel, findPerson, isDirect } from '../state/directory.ts';
import { findFile } from '../state/files.ts';
import { type Call, nestedArg, textArg } from './call.ts';

/** Refusals of arguments before a method runs (the `Errors` of docs.slack.dev/reference/methods/chat.postMessage …). */

/** `markdown_text` stands alone: "cannot be used in conjunction with `blocks` or `text`". */
export function demandOneKindOfText(call: Call): void {
  if (textArg(call, 'markdown_text') === undefined) return;
  const blocks = nestedArg(call, 'blocks', 'invalid_blocks_format');
  const hasBlocks = Array.isArray(blocks) ? blocks.length > 0 : blocks !== undefined;
  if (textArg(call, 'text') !== undefined || hasBlocks) throw new Refusal('markdown_text_conflict');
}

export function demandFewAttachments(call: Call): void {
  const attachments = nestedArg(call, 'attachments', 'invalid_attachments');
  if (Array.isArray(attachments) && attachments.length > SLACK_LIMITS.attachments.value) {
    throw new Refusal('too_many_attachments');
  }
}

export function demandSmallMetadata(call: Call): void {
  const metadata = nestedArg(call, 'metadata', 'invalid_metadata_format');
  if (!isRecord(metadata)) return;
  if (Buffer.byteLength(JSON.stringify(metadata)) > SLACK_LIMITS.metadataBytes.value) {
    throw new Refusal('metadata_too_large');
  }
}

/** The `metadata` of chat.unfurl describes Work Objects, which the emulator doesn't draw. */
export function demandMetadataFormat(call: Call): void {
  const metadata = nestedArg(call, 'metadata', 'invalid_metadata_format');
  if (metadata !== undefined && !isRecord(metadata)) throw new Refusal('invalid_metadata_format');
}

/** Which metadata conversations.history and .replies return: event types in a JSON list. */
export function demandMetadataKeys(call: Call): void {
  const keys = nestedArg(call, 'metadata_keys_to_include', 'invalid_metadata_filter_keys');
  const isList = Array.isArray(keys) && keys.every((key) => typeof key === 'string');
  if (keys !== undefined && !isList) throw new Refusal('invalid_metadata_filter_keys');
}

/** Without its Messages tab an app can't write to people directly. */
export function demandMessagesTab(call: Call): void {
  if (call.site.manifest.hasMessagesTab) return;
  const channel = textArg(call, 'channel') ?? '';
  const isDirect =
    findChannel(call.site, channel)?.kind === 'im' || findPerson(call.site, channel) !== undefined;
  if (isDirect) throw new Refusal('messages_tab_disabled');
}

/** The people of `users` or the conversation of `channel` (docs.slack.dev/reference/methods/conversations.open). */
export function demandFewUsers(call: Call): void {
  if (textArg(call, 'channel') !== undefined) return;
  const users = (textArg(call, 'users') ?? '').split(',').filter((user) => user.trim() !== '');
  if (users.length === 0) throw new Refusal('users_list_not_supplied');
  if (users.length > SLACK_LIMITS.conversationUsers.value) throw new Refusal('too_many_users');
}

/** `channel` resumes a direct message; other conversations can't be opened. */
export function demandDirectChannel(call: Call): void {
  const channel = findChannel(call.site, textArg(call, 'channel') ?? '');
  if (channel && !isDirect(channel)) throw new Refusal('method_not_supported_for_channel_type');
}

/** Reactions to files and their comments are from before files were shared in messages: no file here has one. */
export function demandKnownFile(call: Call): void {
  if (textArg(call, 'file_comment') !== undefined) throw new Refusal('file_comment_not_found');
  const file = textArg(call, 'file');
  if (file !== undefined && !findFile(call.site, file)) throw new Refusal('file_not_found');
}
