import { createHash } from 'node:crypto';
import { CODE_OR_MARKUP, escapeText, linkAddresses } from '../blocks/returned-text.ts';
import { getDeliveryError } from '../deliver/app-connection.ts';
import { encodeEmoji } from '../page/emoji.ts';
import type { Channel, Person } from '../protocol.ts';
import { Refusal } from '../refusal.ts';
import type { Site } from '../site.ts';
import { forEachApp, listCommands } from '../state/apps.ts';
import { findChannelByName, findPersonByName, isDirect } from '../state/directory.ts';
import { findFile } from '../state/files.ts';
import type { StoredFile, StoredMessage } from '../state/saved-state.ts';
import { makeResponseUrl, makeTrigger } from '../state/triggers-and-response-urls.ts';
import { findOrStartChat, setPrompts } from './assistant.ts';
import { archiveChannel, joinChannel, leaveChannel } from './change-channel.ts';
import { buildCommandFields, sendEvent } from './payloads.ts';
import { respond } from './respond.ts';
import { shareFiles, writeMessage } from './write-message.ts';

interface BuiltInCall {
  site: Site;
  person: string;
  channel: Channel;
  /** The person or app named after the command. */
  named: Person | undefined;
}

/** Runs the command. Returns the notice for the person if it failed. */
type BuiltInCommand = (call: BuiltInCall) => string | undefined;

const NOBODY = 'Nobody of that name is in this workspace. Name a person or an app: /invite @name';

const invite: BuiltInCommand = ({ site, person, channel, named }) => {
  if (isDirect(channel)) return 'You cannot invite anybody into a direct message.';
  if (!named || named.deactivated === true) return NOBODY;
  if (joinChannel(site, channel, named.id, person)) return undefined;
  return `@${named.name} is already in #${channel.name}.`;
};

const remove: BuiltInCommand = ({ site, person, channel, named }) => {
  if (isDirect(channel)) return 'You cannot remove anybody from a direct message.';
  if (!named) return NOBODY;
  return leaveChannel(site, channel, named.id, person)
    ? undefined
    : `@${named.name} is not in #${channel.name}.`;
};

const archive: BuiltInCommand = ({ site, person, channel }) => {
  if (isDirect(channel)) return 'A direct message cannot be archived.';
  if (channel.name === 'general') return 'You cannot archive the general channel.';
  archiveChannel(site, channel, person);
  return undefined;
};

/** Slack's own commands. Apps aren't notified of them. */
const BUILT_IN_COMMANDS: ReadonlyMap<string, BuiltInCommand> = new Map([
  ['/invite', invite],
  ['/remove', remove],
  ['/kick', remove],
  ['/archive', archive],
]);

/** Runs a command of Slack's own. Returns false if there is none of this name. */
function runBuiltIn(site: Site, person: string, channel: Channel, command: string, text: string): boolean {
  const run = BUILT_IN_COMMANDS.get(command);
  if (!run) return false;
  const [name = ''] = text.trim().split(/\s+/);
  const named = name === '' ? undefined : findPersonByName(site, name);
  const problem = run({ site, person, channel, named });
  if (problem !== undefined) showNotice(site, person, channel, problem);
  return true;
}

/**
 * The time that a command waits for the app to connect. Slack fails with `dispatch_failed` at once if no socket is open.
 * Here the app often starts together with the workspace, so the first command of an open page would fail. The app sees
 * no difference: its three seconds and the trigger_id begin when the command is sent.
 */
const CONNECTION_WAIT_MS = 2_000;

function showNotice(site: Site, person: string, { id: channel }: Channel, text: string): void {
  site.audience.sendTo([person], { type: 'notice', channel, text });
}

/** Sends a typed `/command …` to the app, and shows its response, or the notice that Slack shows if it failed. */
export async function runCommand(site: Site, person: string, channel: Channel, typed: string): Promise<void> {
  const [, command = '', text = ''] = /^(\S+)\s*([\s\S]*)$/.exec(typed.trim()) ?? [];
  if (runBuiltIn(site, person, channel, command, text)) return;
  if (!listCommands(site, person).some((entry) => entry.command === command)) {
    const text = `${command} is not a valid command. In Slack, all messages that start with the "/" character are interpreted as commands.`;
    return showNotice(site, person, channel, text);
  }
  await site.connection.ready(CONNECTION_WAIT_MS);
  const payload = {
    ...buildCommandFields(site, person, channel),
    command,
    text: escapeText(text),
    response_url: makeResponseUrl(site, { channel: channel.id, person }),
    trigger_id: makeTrigger(site, person),
  };
  const answer = await site.connection.deliver(typed.trim(), { type: 'slash_commands', payload });
  const error = getDeliveryError(answer);
  if (error !== undefined) showNotice(site, person, channel, `${command} failed with the error "${error}"`);
  if (answer.kind !== 'acknowledged' || answer.payload === undefined) return;
  try {
    respond(site, { channel: channel.id, person }, answer.payload);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    showNotice(site, person, channel, `${command} failed with the error "${error.code}"`);
  }
}

/** Finds files of a person that are in no message yet. Throws `file_not_found`. */
function findOwnFiles(site: Site, person: string, ids: readonly string[]): StoredFile[] {
  return ids.map((id) => {
    const file = findFile(site, id);
    if (!file || file.user !== person || file.shares.length > 0) throw new Refusal('file_not_found');
    return file;
  });
}

/**
 * Sends what a person typed, with the files that they dropped. Shows a notice instead if Slack wouldn't send it, such as a
 * command in a thread. Throws `no_text` if there is nothing.
 */
export function sendTypedMessage(
  site: Site,
  person: string,
  channel: Channel,
  { text, files: fileIds = [], threadTs }: { text: string; files?: readonly string[]; threadTs?: string },
): { chat: { channel: string; ts: string } } | undefined {
  const files = findOwnFiles(site, person, fileIds);
  if (text.trim() === '' && files.length === 0) throw new Refusal('no_text');
  const command = threadTs === undefined ? undefined : /^\/\S+/.exec(text.trim())?.[0];
  if (command !== undefined) {
    showNotice(site, person, channel, `${command} is not supported in threads. Sorry!`);
    return undefined;
  }
  if (
    !site.manifest.acceptsMessages &&
    channel.kind === 'im' &&
    channel.members.includes(site.state.app.botUserId)
  ) {
    showNotice(site, person, channel, 'Sending messages to this app has been turned off.');
    return undefined;
  }
  const chat = findOrStartChat(site, person, channel, threadTs);
  if (chat?.prompts) setPrompts(site, chat, undefined);
  const thread = threadTs ?? chat?.ts;
  const content = {
    channel: channel.id,
    user: person,
    text: formatTypedText(site, text),
    ...(thread === undefined ? {} : { threadTs: thread }),
  };
  const message =
    files.length === 0
      ? writeMessage(site, content)
      : shareFiles(site, files, { ...content, subtype: 'file_share' });
  // Each app gets the event, also in channels where it isn't a member.
  forEachApp(site, (app) => sendLinkShared(app, channel, message));
  return chat ? { chat: { channel: chat.channel, ts: chat.ts } } : undefined;
}

/** Domains that Slack links without a scheme. A selection of its top-level domains. */
const BARE_ADDRESS =
  /(^|[\s(])((?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.)+(?:com|org|net|io|dev|app|co|uk|de|eu)(?:\/(?:[^\s<>|]*[^\s<>|.,:;!?)"'])?)?)(?=$|[\s).,:;!?"'])/gi;

/**
 * Formats a typed message as Slack stores it: escaped, with emoji as codes, and with links, mentions and channels in
 * angle brackets. A domain without a scheme is its own label (wee-slack #444, operable/cog #121). Since October 2022, a
 * channel has no name (hubot-code-review #52, zulip #39025).
 */
function formatTypedText(site: Site, typed: string): string {
  return encodeEmoji(escapeText(typed))
    .split(CODE_OR_MARKUP)
    .map((part, index) => (index % 2 === 0 ? linkTyped(site, part) : part))
    .join('');
}

/** Links the addresses, people and channels in text without code. */
function linkTyped(site: Site, text: string): string {
  return linkAddresses(text)
    .replaceAll(BARE_ADDRESS, '$1<http://$2|$2>')
    .replaceAll(/(^|[\s(])@([\w.-]*\w)/g, (match, before: string, name: string) => {
      const person = site.state.people.find((entry) => entry.name === name.toLowerCase());
      return person ? `${before}<@${person.id}>` : match;
    })
    .replaceAll(/(^|[\s(])#([\w-]+)/g, (match, before: string, name: string) => {
      const channel = findChannelByName(site, name);
      return channel ? `${before}<#${channel.id}|>` : match;
    });
}

/** The `unfurl_domains` entry of the manifest that an address belongs to. */
export function findUnfurlDomain(site: Site, url: string): string | undefined {
  const host = URL.parse(url)?.hostname ?? '';
  return site.manifest.unfurlDomains.find((domain) => host === domain || host.endsWith(`.${domain}`));
}

/** The link addresses in the text of a message, without duplicates. */
export function findLinks(text: string): string[] {
  const found = [...text.matchAll(/<(https?:[^<>|]+)(?:\|[^<>]*)?>/g)].map(([, url = '']) => url);
  return [...new Set(found.map((url) => url.replaceAll('&amp;', '&')))];
}

/** The form is that of the example in docs.slack.dev, "link_shared". */
export function buildUnfurlId({ channel, ts }: Pick<StoredMessage, 'channel' | 'ts'>): string {
  return `${channel}.${ts}.${createHash('sha256').update(`${channel} ${ts}`).digest('hex')}`;
}

function sendLinkShared(site: Site, channel: Channel, message: StoredMessage): void {
  const links = findLinks(message.text).flatMap((url) => {
    const domain = findUnfurlDomain(site, url);
    return domain === undefined ? [] : [{ url, domain }];
  });
  if (links.length === 0) return;
  const event = {
    channel: channel.id,
    is_bot_user_member: channel.members.includes(site.state.app.botUserId),
    user: message.user,
    message_ts: message.ts,
    ...(message.threadTs === undefined ? {} : { thread_ts: message.threadTs }),
    unfurl_id: buildUnfurlId(message),
    source: 'conversations_history',
    links,
  };
  sendEvent(site, 'link_shared', event, { channel });
}
