import { addIds } from '../blocks/add-ids.ts';
import { acceptAttachments, acceptBlocks } from '../interactions/accept-content.ts';
import { getRecord, isRecord, type Json } from '../json.ts';
import { Refusal } from '../refusal.ts';
import { SLACK_LIMITS } from '../rules/slack-limits.ts';
import { hasScope } from '../state/grants.ts';
import type { MessageContent, StoredMessage } from '../state/saved-state.ts';
import { type Call, readFlag, readJson, readText } from './call.ts';

/** `markdown_text` becomes a markdown block. */
function readBlocks(call: Call): unknown {
  const markdown = readText(call, 'markdown_text');
  if (markdown !== undefined) return [{ type: 'markdown', text: markdown }];
  return readJson(call, 'blocks', 'invalid_blocks_format');
}

/** Reads the text, blocks and attachments of a message. One of them is required. Longer text is truncated. */
export function readContent(call: Call): MessageContent {
  const json = readBlocks(call);
  const blocks = json === undefined ? [] : addIds(acceptBlocks(call.site, json));
  const attachments = acceptAttachments(call.site, readJson(call, 'attachments', 'invalid_attachments'));
  const fullText = readText(call, 'text') ?? readText(call, 'markdown_text') ?? '';
  const text = fullText.slice(0, SLACK_LIMITS.messageTextLength.value);
  if (text === '' && blocks.length === 0 && attachments.length === 0) throw new Refusal('no_text');
  return {
    text,
    ...(blocks.length > 0 ? { blocks } : {}),
    ...(attachments.length > 0 ? { attachments } : {}),
  };
}

/** Reads `thread_ts`. As in Slack, a `thread_ts` without a message starts an invisible thread (python-slack-sdk #840). */
export function readThread(call: Call): Pick<StoredMessage, 'threadTs'> {
  const threadTs = readText(call, 'thread_ts');
  if (threadTs === undefined) return {};
  if (/^\d+\.\d+$/.test(threadTs)) return { threadTs };
  throw new Refusal('invalid_thread_ts', {
    response_metadata: { messages: [`[ERROR] ${threadTs} is not a valid thread_ts`] },
  });
}

/**
 * Reads the name and picture that the app shows on one message, which is then a `bot_message`. Without the scope
 * chat:write.customize, Slack ignores both (papercups-io/papercups #522).
 */
export function readAuthor(call: Call): Pick<StoredMessage, 'username' | 'icons' | 'subtype'> {
  if (!hasScope(call.site, 'chat:write.customize')) return {};
  const [username, emoji, url] = ['username', 'icon_emoji', 'icon_url'].map((name) => readText(call, name));
  if (username === undefined && emoji === undefined && url === undefined) return {};
  const icons = emoji === undefined ? url !== undefined && { image_64: url } : { emoji };
  return {
    subtype: 'bot_message',
    username: username ?? call.site.manifest.botName,
    ...(icons ? { icons } : {}),
  };
}

/** Assigns messages that are sent with a step's token to the run of this step. */
export function readStepRun({ grant }: Call): Pick<StoredMessage, 'run'> {
  return grant?.run === undefined ? {} : { run: grant.run };
}

/** Reads the arguments of chat.postMessage and chat.scheduleMessage. `channel` is an id. */
export function readMessage(call: Call, channel: string): Omit<StoredMessage, 'ts'> {
  const thread = readThread(call);
  const metadata = readMetadata(call);
  const isBroadcast = thread.threadTs !== undefined && readFlag(call, 'reply_broadcast');
  return {
    channel,
    user: call.site.state.app.botUserId,
    ...readContent(call),
    ...thread,
    ...(metadata ? { metadata } : {}),
    ...readAuthor(call),
    ...readStepRun(call),
    ...(isBroadcast ? { subtype: 'thread_broadcast' } : {}),
  };
}

/**
 * Reads a message's metadata: an event, Work Objects or both. Returns undefined if the call has none, and null for an empty object, with which
 * chat.update removes the metadata (docs.slack.dev/reference/methods/chat.update).
 */
export function readMetadata(call: Call): Json | null | undefined {
  const metadata = readJson(call, 'metadata', 'invalid_metadata_format');
  if (metadata === undefined) return undefined;
  if (!isRecord(metadata)) throw new Refusal('invalid_metadata_format');
  if (Object.keys(metadata).length === 0) return null;
  const { event_type: type, event_payload: payload, entities } = metadata;
  const isEvent = typeof type === 'string' && type !== '' && isRecord(payload);
  const isEntities = Array.isArray(entities) && entities.length > 0 && entities.every(isEntity);
  // Each of the two kinds of metadata may come alone.
  if (!(isEvent || (isEntities && type === undefined)) || !(isEntities || entities === undefined)) {
    throw new Refusal('invalid_metadata_schema');
  }
  return { ...(isEvent && { event_type: type, event_payload: payload }), ...(isEntities && { entities }) };
}

/** A Work Object (@slack/types, EntityMetadata; docs.slack.dev/messaging/work-objects-implementation). */
function isEntity(value: unknown): boolean {
  if (!isRecord(value)) return false;
  const id = getRecord(value, 'external_ref')?.id;
  const texts = [value.entity_type, value.url, id];
  return texts.every((text) => typeof text === 'string' && text !== '') && isRecord(value.entity_payload);
}
