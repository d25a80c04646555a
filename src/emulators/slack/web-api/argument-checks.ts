import { isRecord } from '../json.ts';
import { Refusal } from '../refusal.ts';
import { SLACK_LIMITS } from '../rules/slack-limits.ts';
import { findChannel, findPerson, isDirect } from '../state/directory.ts';
import { findFile } from '../state/files.ts';
import { type Call, readJson, readText } from './call.ts';

/** Checks of arguments before a method runs: the `Errors` in Slack's reference (docs.slack.dev/reference/methods). */

/** `markdown_text` "cannot be used in conjunction with `blocks` or `text`" (docs.slack.dev, "chat.postMessage"). */
export function requireOneKindOfText(call: Call): void {
  if (readText(call, 'markdown_text') === undefined) return;
  const blocks = readJson(call, 'blocks', 'invalid_blocks_format');
  const hasBlocks = Array.isArray(blocks) ? blocks.length > 0 : blocks !== undefined;
  if (readText(call, 'text') !== undefined || hasBlocks) throw new Refusal('markdown_text_conflict');
}

export function requireFewAttachments(call: Call): void {
  const attachments = readJson(call, 'attachments', 'invalid_attachments');
  if (Array.isArray(attachments) && attachments.length > SLACK_LIMITS.attachments.value) {
    throw new Refusal('too_many_attachments');
  }
}

export function requireSmallMetadata(call: Call): void {
  const metadata = readJson(call, 'metadata', 'invalid_metadata_format');
  if (!isRecord(metadata)) return;
  if (Buffer.byteLength(JSON.stringify(metadata)) > SLACK_LIMITS.metadataBytes.value) {
    throw new Refusal('metadata_too_large');
  }
}

/** In chat.unfurl, `metadata` describes Work Objects, which the emulator doesn't draw. */
export function requireMetadataFormat(call: Call): void {
  const metadata = readJson(call, 'metadata', 'invalid_metadata_format');
  if (metadata !== undefined && !isRecord(metadata)) throw new Refusal('invalid_metadata_format');
}

/** `metadata_keys_to_include` of conversations.history and conversations.replies: a list of event types. */
export function requireMetadataKeys(call: Call): void {
  const keys = readJson(call, 'metadata_keys_to_include', 'invalid_metadata_filter_keys');
  const isList = Array.isArray(keys) && keys.every((key) => typeof key === 'string');
  if (keys !== undefined && !isList) throw new Refusal('invalid_metadata_filter_keys');
}

/** Without a Messages tab, an app can't write direct messages. */
export function requireMessagesTab(call: Call): void {
  if (call.site.manifest.hasMessagesTab) return;
  const channel = readText(call, 'channel') ?? '';
  const isDirect =
    findChannel(call.site, channel)?.kind === 'im' || findPerson(call.site, channel) !== undefined;
  if (isDirect) throw new Refusal('messages_tab_disabled');
}

/** `users` is required without `channel` (docs.slack.dev/reference/methods/conversations.open). */
export function requireFewUsers(call: Call): void {
  if (readText(call, 'channel') !== undefined) return;
  const users = (readText(call, 'users') ?? '').split(',').filter((user) => user.trim() !== '');
  if (users.length === 0) throw new Refusal('users_list_not_supplied');
  if (users.length > SLACK_LIMITS.conversationUsers.value) throw new Refusal('too_many_users');
}

/** conversations.open with `channel` reopens a direct message. It refuses channels. */
export function requireDirectChannel(call: Call): void {
  const channel = findChannel(call.site, readText(call, 'channel') ?? '');
  if (channel && !isDirect(channel)) throw new Refusal('method_not_supported_for_channel_type');
}

/**
 * Slack's reference still has reactions to files and to their comments. Today files are shared in messages, and the
 * emulator has no comments on files.
 */
export function requireKnownFile(call: Call): void {
  if (readText(call, 'file_comment') !== undefined) throw new Refusal('file_comment_not_found');
  const file = readText(call, 'file');
  if (file !== undefined && !findFile(call.site, file)) throw new Refusal('file_not_found');
}
