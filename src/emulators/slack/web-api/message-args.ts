import { addIds } from '../blocks/add-ids.ts';
import { acceptBlocks } from '../interactions/accept.ts';
import { acceptAttachments } from '../interactions/attachments.ts';
import { Refusal } from '../refusal.ts';
import { SLACK_LIMITS } from '../rules/slack-limits.ts';
import { hasScope } from '../state/granted-scopes.ts';
import type { MessageContent, StoredMessage } from '../state/saved-state.ts';
import { type Call, flagArg, nestedArg, textArg } from './call.ts';
import { metadataArg } from './metadata.ts';

/** `markdown_text` becomes a markdown block, and its text what notifications show. */
function givenBlocks(call: Call): unknown {
  const markdown = textArg(call, 'markdown_text');
  if (markdown !== undefined) return [{ type: 'markdown', text: markdown }];
  return nestedArg(call, 'blocks', 'invalid_blocks_format');
}

/** The text, blocks and attachments of a message. One of them is needed. */
export function contentArgs(call: Call): MessageContent {
  const given = givenBlocks(call);
  const blocks = given === undefined ? [] : addIds(acceptBlocks(call.site, given));
  const attachments = acceptAttachments(call.site, nestedArg(call, 'attachments', 'invalid_attachments'));
  const said = textArg(call, 'text') ?? textArg(call, 'markdown_text') ?? '';
  const text = said.slice(0, SLACK_LIMITS.messageTextLength.value);
  if (text === '' && blocks.length === 0 && attachments.length === 0) throw new Refusal('no_text');
  return {
    text,
    ...(blocks.length > 0 ? { blocks } : {}),
    ...(attachments.length > 0 ? { attachments } : {}),
  };
}

/** One that names no message makes a thread that nobody finds, as in Slack (python-slack-sdk #840). */
export function threadArg(call: Call): Pick<StoredMessage, 'threadTs'> {
  const threadTs = textArg(call, 'thread_ts');
  if (threadTs === undefined) return {};
  if (/^\d+\.\d+$/.test(threadTs)) return { threadTs };
  throw new Refusal('invalid_thread_ts', {
    response_metadata: { messages: [`[ERROR] ${threadTs} is not a valid thread_ts`] },
  });
}

/**
 * The name and picture that the app chooses for one message. Without the scope chat:write.customize, Slack ignores both
 * (papercups-io/papercups #522). With them, it's a bot_message without a user.
 */
export function authorArgs(call: Call): Pick<StoredMessage, 'username' | 'icons' | 'subtype'> {
  if (!hasScope(call.site, 'chat:write.customize')) return {};
  const [username, emoji, url] = ['username', 'icon_emoji', 'icon_url'].map((name) => textArg(call, name));
  if (username === undefined && emoji === undefined && url === undefined) return {};
  const icons = emoji === undefined ? url !== undefined && { image_64: url } : { emoji };
  return {
    subtype: 'bot_message',
    username: username ?? call.site.manifest.botName,
    ...(icons ? { icons } : {}),
  };
}

/** A message that is written with the token of a step belongs to its run. */
export function runPart({ grant }: Call): Pick<StoredMessage, 'run'> {
  return grant?.run === undefined ? {} : { run: grant.run };
}

/** A message of the app into this channel, as chat.postMessage and chat.scheduleMessage take it. */
export function messageArgs(call: Call, channel: string): Omit<StoredMessage, 'ts'> {
  const thread = threadArg(call);
  const metadata = metadataArg(call);
  const isBroadcast = thread.threadTs !== undefined && flagArg(call, 'reply_broadcast');
  return {
    channel,
    user: call.site.state.app.botUserId,
    ...contentArgs(call),
    ...thread,
    ...(metadata ? { metadata } : {}),
    ...authorArgs(call),
    ...runPart(call),
    ...(isBroadcast ? { subtype: 'thread_broadcast' } : {}),
  };
}
