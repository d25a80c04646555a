import { isRecord } from '../json.ts';
import { Refusal } from '../refusal.ts';
import { SLACK_LIMITS } from '../rules/slack-limits.ts';
import { findChannel, findPerson, isDirect } from '../state/directory.ts';
import { findFile } from '../state/files.ts';
import { makeWordSet } from '../words.ts';
import type { Call } from './call.ts';

/** Checks of arguments before a method runs: the `Errors` in Slack's reference (docs.slack.dev/reference/methods). */

/** `markdown_text` "cannot be used in conjunction with `blocks` or `text`" (docs.slack.dev, "chat.postMessage"). */
function requireOneKindOfText(call: Call): void {
  if (call.readText('markdown_text') === undefined) return;
  const blocks = call.readJson('blocks', 'invalid_blocks_format');
  const hasBlocks = Array.isArray(blocks) ? blocks.length > 0 : blocks !== undefined;
  if (call.readText('text') !== undefined || hasBlocks) throw new Refusal('markdown_text_conflict');
}

function requireFewAttachments(call: Call): void {
  const attachments = call.readJson('attachments', 'invalid_attachments');
  if (Array.isArray(attachments) && attachments.length > SLACK_LIMITS.attachments.value)
    throw new Refusal('too_many_attachments');
}

function requireSmallMetadata(call: Call): void {
  const metadata = call.readJson('metadata', 'invalid_metadata_format');
  if (!isRecord(metadata)) return;
  if (Buffer.byteLength(JSON.stringify(metadata)) > SLACK_LIMITS.metadataBytes.value)
    throw new Refusal('metadata_too_large');
}

/** In chat.unfurl, `metadata` describes Work Objects, which the emulator doesn't draw. */
function requireMetadataFormat(call: Call): void {
  const metadata = call.readJson('metadata', 'invalid_metadata_format');
  if (metadata !== undefined && !isRecord(metadata)) throw new Refusal('invalid_metadata_format');
}

/** `metadata_keys_to_include` of conversations.history and conversations.replies: a list of event types. */
function requireMetadataKeys(call: Call): void {
  const keys = call.readJson('metadata_keys_to_include', 'invalid_metadata_filter_keys');
  const isList = Array.isArray(keys) && keys.every((key) => typeof key === 'string');
  if (keys !== undefined && !isList) throw new Refusal('invalid_metadata_filter_keys');
}

/** Without a Messages tab, an app can't write direct messages. */
function requireMessagesTab(call: Call): void {
  if (call.site.manifest.hasMessagesTab) return;
  const channel = call.readText('channel') ?? '';
  const isDirect =
    findChannel(call.site, channel)?.kind === 'im' || findPerson(call.site, channel) !== undefined;
  if (isDirect) throw new Refusal('messages_tab_disabled');
}

/** `users` is required without `channel` (docs.slack.dev/reference/methods/conversations.open). */
function requireFewUsers(call: Call): void {
  if (call.readText('channel') !== undefined) return;
  const users = (call.readText('users') ?? '').split(',').filter((user) => user.trim() !== '');
  if (users.length === 0) throw new Refusal('users_list_not_supplied');
  if (users.length > SLACK_LIMITS.conversationUsers.value) throw new Refusal('too_many_users');
}

/** conversations.open with `channel` reopens a direct message. It refuses channels. */
function requireDirectChannel(call: Call): void {
  const channel = findChannel(call.site, call.readText('channel') ?? '');
  if (channel && !isDirect(channel)) throw new Refusal('method_not_supported_for_channel_type');
}

/** Slack still has reactions to files and their comments. Here, files are shared in messages, and have no comments. */
function requireKnownFile(call: Call): void {
  if (call.readText('file_comment') !== undefined) throw new Refusal('file_comment_not_found');
  const file = call.readText('file');
  if (file !== undefined && !findFile(call.site, file)) throw new Refusal('file_not_found');
}

const MESSAGE_CHECKS = [requireOneKindOfText, requireFewAttachments, requireSmallMetadata];

/** Method → the checks of its arguments before it runs, in the order of their errors. */
export const METHOD_CHECKS: Readonly<Record<string, readonly ((call: Call) => void)[]>> = {
  'chat.appendStream': [requireMessagesTab],
  'chat.postEphemeral': [...MESSAGE_CHECKS, requireMessagesTab],
  'chat.postMessage': [...MESSAGE_CHECKS, requireMessagesTab],
  'chat.scheduleMessage': MESSAGE_CHECKS,
  'chat.startStream': [requireMessagesTab],
  'chat.stopStream': [requireSmallMetadata, requireMessagesTab],
  'chat.unfurl': [requireMetadataFormat],
  'chat.update': MESSAGE_CHECKS,
  'conversations.history': [requireMetadataKeys],
  'conversations.open': [requireFewUsers, requireDirectChannel],
  'conversations.replies': [requireMetadataKeys],
  'reactions.get': [requireKnownFile],
  'reactions.remove': [requireKnownFile],
};

/**
 * Methods whose only content type is application/x-www-form-urlencoded (docs.slack.dev/reference/methods, August 2026).
 * Slack ignores their JSON bodies, and answers as if the call had no arguments (kortix-ai/suna #6616,
 * opsknight-labs/OpsKnight #258).
 */
const FORM_METHODS = makeWordSet(`
  apps.uninstall auth.revoke bots.info chat.getPermalink conversations.info conversations.list conversations.members
  conversations.replies emoji.list files.getUploadURLExternal files.info oauth.v2.access pins.list reactions.get
  reactions.list usergroups.list usergroups.users.list users.conversations users.info users.list users.lookupByEmail
  users.profile.get
`);

/** Whether Slack reads a JSON body of this method. */
export const takesJson = (method: string): boolean => !FORM_METHODS.has(method);

/**
 * The only method that refuses GET (docs.slack.dev/reference/methods/apps.connections.open, `insecure_request`). All
 * others read arguments from the query, the body or both (docs.slack.dev/apis/web-api, "Basic overview").
 */
export const POST_ONLY_METHOD = 'apps.connections.open';

/** The number of items on a page. */
interface PageRules {
  /** Defaults to 100. Also applies to a limit of 0. */
  defaultSize?: number;
  /** Whether Slack refuses other limits with `invalid_limit`. Otherwise it uses the default or the maximum. */
  isStrict?: boolean;
}

const MAX_PAGE_SIZE = 1_000;

function readPageSize(call: Call, { defaultSize = 100, isStrict = false }: PageRules): number {
  const limit = Number(call.readText('limit') ?? 0);
  const isValid = Number.isInteger(limit) && limit >= 0;
  if (isStrict && !(isValid && limit <= MAX_PAGE_SIZE)) throw new Refusal('invalid_limit');
  return isValid && limit > 0 ? Math.min(limit, MAX_PAGE_SIZE) : defaultSize;
}

const encodeCursor = ({ method }: Call, start: number) =>
  Buffer.from(`${method}:${start}`).toString('base64');

/** Reads the index of the page's first item. A cursor is valid only for the method that returned it. */
function readPageStart(call: Call, count: number): number {
  const cursor = call.readText('cursor');
  if (cursor === undefined) return 0;
  const start = Number(/:(\d+)$/.exec(Buffer.from(cursor, 'base64').toString())?.[1]);
  if (cursor !== encodeCursor(call, start) || start > count) throw new Refusal('invalid_cursor');
  return start;
}

/** Returns the page that `limit` and `cursor` ask for. An empty `next_cursor` ends the list. */
export function paginate<T>(call: Call, items: readonly T[], rules: PageRules = {}) {
  const start = readPageStart(call, items.length);
  const end = start + readPageSize(call, rules);
  const next = end < items.length ? encodeCursor(call, end) : '';
  return { page: items.slice(start, end), next: { response_metadata: { next_cursor: next } } };
}
