import { acceptContent } from '../interactions/accept-content.ts';
import { getRecord, isRecord, type Json, parseJson } from '../json.ts';
import type { Channel, Person } from '../protocol.ts';
import { Refusal } from '../refusal.ts';
import { SLACK_LIMITS } from '../rules/slack-limits.ts';
import type { Site } from '../site.ts';
import {
  canSee,
  findChannelByName,
  findPerson,
  findVisibleChannel,
  openDirectMessage,
} from '../state/directory.ts';
import { hasScope } from '../state/grants.ts';
import { findMessage } from '../state/messages.ts';
import type { Tier } from '../state/rate-limits.ts';
import type { Grant, MessageContent, StoredMessage } from '../state/saved-state.ts';

/** The error `invalid_arguments`, with a message such as `[ERROR] missing required field: text`. */
export class InvalidArguments extends Refusal {
  constructor(message: string) {
    super('invalid_arguments', { response_metadata: { messages: [message] } });
  }
}

/** A call of a Web API method, such as `chat.postMessage`. */
export class Call {
  readonly site: Site;
  readonly method: string;
  /** The arguments as they came: all are strings in a form. */
  readonly args: Json;
  /** The installation's token. Undefined for methods without a token or with the app-level one. */
  readonly grant: Grant | undefined;

  constructor(site: Site, method: string, args: Json, grant: Grant | undefined) {
    this.site = site;
    this.method = method;
    this.args = args;
    this.grant = grant;
  }

  /** The id of the app's bot user. */
  get botUser(): string {
    return this.site.state.app.botUserId;
  }

  /** Returns undefined for an argument that is missing or empty. */
  readText(name: string): string | undefined {
    const value = this.args[name];
    if (typeof value === 'number') return String(value);
    return typeof value === 'string' && value !== '' ? value : undefined;
  }

  readRequired(name: string): string {
    const value = this.readText(name);
    if (value === undefined) throw new InvalidArguments(`[ERROR] missing required field: ${name}`);
    return value;
  }

  readFlag(name: string): boolean {
    const value = this.args[name];
    return value === true || value === 'true' || value === '1' || value === 1;
  }

  /** Reads a list or an object, which a form contains as JSON. Refuses malformed JSON with `errorCode`. */
  readJson(name: string, errorCode: string): unknown {
    const value = this.args[name];
    if (typeof value !== 'string') return value ?? undefined;
    if (value === '') return undefined;
    return parseJson(value, () => {
      throw new Refusal(errorCode);
    });
  }
}

/** Runs a call. May return fields of the answer beside `ok: true`. Throws a {@link Refusal} for an error. */
type Method = (call: Call) => Json | undefined;

export interface MethodEntry {
  token: 'bot' | 'bot or user' | 'app' | 'any' | 'none';
  /** Slack's rate limit, if the workspace enforces rate limits. */
  tier: Tier;
  /** The call needs one of these scopes. Empty if it needs none. */
  scopes: readonly string[];
  run: Method;
}

export type Methods = Readonly<Record<string, MethodEntry>>;

/** A method that accepts the app's own token. */
export function bot(tier: Tier, scopes: readonly string[], run: Method): MethodEntry {
  return { token: 'bot', tier, scopes, run };
}

/** A method that needs no scopes, and accepts this kind of token. */
export function acceptToken(token: MethodEntry['token'], tier: Tier, run: Method): MethodEntry {
  return { token, tier, scopes: [], run };
}

/** Reads a conversation's id. Private conversations without the app are hidden from it. */
export function readChannel(call: Call, argument = 'channel'): Channel {
  const channel = findVisibleChannel(call.site, call.readRequired(argument), call.botUser);
  if (!channel) throw new Refusal('channel_not_found');
  return channel;
}

/** An app can't write to bots (HubSpot/slack-client #90). */
export function requireNoBot({ isBot }: Person): void {
  if (isBot) throw new Refusal('cannot_dm_bot');
}

/**
 * Reads a conversation's id or name, or the id of a person for the direct message with them. Slack also accepts messages
 * to deactivated people (python-slack-sdk #1156).
 */
export function readChannelOrPerson(call: Call): Channel {
  const idOrName = call.readRequired('channel');
  const bot = call.botUser;
  const person = findPerson(call.site, idOrName);
  if (person) {
    requireNoBot(person);
    return openDirectMessage(call.site, person.id, bot);
  }
  const channel = findChannelByName(call.site, idOrName);
  if (!channel || !canSee(call.site, channel, bot)) throw new Refusal('channel_not_found');
  return channel;
}

/** Reads a conversation that the app can write to. With the scope chat:write.public, it can write to public channels. */
export function readWritableChannel(call: Call): Channel {
  const channel = readChannelOrPerson(call);
  requireWritable(call, channel, channel.kind === 'public' && hasScope(call.site, 'chat:write.public'));
  return channel;
}

export function requireWritable({ site }: Call, channel: Channel, isOpenToAll: boolean): void {
  if (channel.archived === true) throw new Refusal('is_archived');
  if (!isOpenToAll) requireMember(site, channel);
  if (channel.restricted === true) throw new Refusal('restricted_action');
}

export function requireMember(site: Site, channel: Channel): void {
  if (!channel.members.includes(site.state.app.botUserId)) throw new Refusal('not_in_channel');
}

/**
 * Reads the `channel` and `timestamp` of a message for reactions.* and pins.*, which Slack calls an item. The app has to
 * be in its channel (HubSpot/slack-client #356: a reaction fails with not_in_channel).
 */
export function readItem(call: Call): StoredMessage {
  const ts = call.readText('timestamp');
  if (call.readText('channel') === undefined || ts === undefined) throw new Refusal('no_item_specified');
  const channel = readChannel(call);
  if (!/^\d+\.\d+$/.test(ts)) throw new Refusal('bad_timestamp');
  requireMember(call.site, channel);
  const message = findMessage(call.site, channel.id, ts);
  if (!message || message.ephemeralTo !== undefined || message.subtype === 'tombstone')
    throw new Refusal('message_not_found');
  return message;
}

/** Reads an item, and refuses archived channels. */
export function readUnarchivedItem(call: Call): StoredMessage {
  const message = readItem(call);
  if (readChannel(call).archived === true) throw new Refusal('is_archived');
  return message;
}

/**
 * Reads the content of a message. Throws `no_text` without any. Text that is too long is truncated, and `markdown_text`
 * becomes a markdown block.
 */
export function readContent(call: Call): MessageContent {
  const markdown = call.readText('markdown_text');
  const blocks = call.readJson('blocks', 'invalid_blocks_format');
  return acceptContent(call.site, {
    text: (call.readText('text') ?? markdown ?? '').slice(0, SLACK_LIMITS.messageTextLength.value),
    blocks: markdown === undefined ? blocks : [{ type: 'markdown', text: markdown }],
    attachments: call.readJson('attachments', 'invalid_attachments'),
  });
}

/** Reads `thread_ts`. As in Slack, a `thread_ts` without a message starts an invisible thread (python-slack-sdk #840). */
export function readThread(call: Call): Pick<StoredMessage, 'threadTs'> {
  const threadTs = call.readText('thread_ts');
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
  const [username, emoji, url] = ['username', 'icon_emoji', 'icon_url'].map((name) => call.readText(name));
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
  const isBroadcast = thread.threadTs !== undefined && call.readFlag('reply_broadcast');
  return {
    channel,
    user: call.botUser,
    ...readContent(call),
    ...thread,
    ...(metadata ? { metadata } : {}),
    ...readAuthor(call),
    ...readStepRun(call),
    ...(isBroadcast ? { subtype: 'thread_broadcast' } : {}),
  };
}

/**
 * Reads a message's metadata: an event, Work Objects or both. Returns undefined if the call has none. Returns null for
 * an empty object, with which chat.update removes the metadata (docs.slack.dev/reference/methods/chat.update).
 */
export function readMetadata(call: Call): Json | null | undefined {
  const metadata = call.readJson('metadata', 'invalid_metadata_format');
  if (metadata === undefined) return undefined;
  if (!isRecord(metadata)) throw new Refusal('invalid_metadata_format');
  if (Object.keys(metadata).length === 0) return null;
  const { event_type: type, event_payload: payload, entities } = metadata;
  const isEvent = typeof type === 'string' && type !== '' && isRecord(payload);
  const isEntities = Array.isArray(entities) && entities.length > 0 && entities.every(isEntity);
  // Each of the two kinds of metadata may come alone.
  if (!(isEvent || (isEntities && type === undefined)) || !(isEntities || entities === undefined))
    throw new Refusal('invalid_metadata_schema');
  return { ...(isEvent && { event_type: type, event_payload: payload }), ...(isEntities && { entities }) };
}

/** A Work Object (@slack/types, EntityMetadata; docs.slack.dev/messaging/work-objects-implementation). */
function isEntity(value: unknown): boolean {
  if (!isRecord(value)) return false;
  const texts = [value.entity_type, value.url, getRecord(value, 'external_ref')?.id];
  return texts.every((text) => typeof text === 'string' && text !== '') && isRecord(value.entity_payload);
}
