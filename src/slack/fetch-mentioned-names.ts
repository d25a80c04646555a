import { mapLimited, within } from '../promises.ts';
import { limitText } from '../text-limits.ts';
import type { Actor } from './actor.ts';
import { fetchDisplayName, fetchGroupHandles, type SlackCall } from './fetch-people.ts';
import { type NamedKind, readSlackText } from './text/text.ts';

/** Maximum names to fetch for a message. Slack allows at least 50 calls a minute to each method. */
const MAX_FETCHED_NAMES = 20;

/** A form has time for two rounds. */
const MAX_FETCHES_AT_ONCE = 10;

/** How long a form waits for names. After that, mentions keep their text from the message. */
const NAMES_TIMEOUT_MS = 1_500;

type MessageReading = Parameters<typeof readSlackText>[0];
type NamesCall = SlackCall & { actor: Actor; channel?: string };

/**
 * Fetches the names of the people, channels and user groups that a message mentions. The result finds only the names
 * that Slack returned in time.
 */
export async function fetchMentionedNames(
  call: NamesCall,
  message: Omit<MessageReading, 'findName'>,
  timeoutMs = NAMES_TIMEOUT_MS,
): Promise<MessageReading['findName']> {
  const requests = new Map<string, { kind: NamedKind; id: string }>();
  const findName = (kind: NamedKind, id: string) => {
    requests.set(`${kind} ${id}`, { kind, id });
    return undefined;
  };
  readSlackText({ ...message, findName });
  const names = new Map<string, string>();
  const mentions = [...requests].slice(0, MAX_FETCHED_NAMES);
  // One call lists all groups.
  const groups = mentions.some(([, { kind }]) => kind === 'usergroup') ? fetchGroupHandles(call) : undefined;
  const fetchMention = async ([key, { kind, id }]: (typeof mentions)[number]) => {
    const name = kind === 'usergroup' ? (await groups)?.get(id) : await fetchName(call, kind, id);
    if (name !== undefined && name !== '') names.set(key, name);
  };
  const fetches = mapLimited(mentions, fetchMention, MAX_FETCHES_AT_ONCE);
  await within(timeoutMs, fetches);
  return (kind, id) => names.get(`${kind} ${id}`);
}

/** Fetches the name of the channel of a request. Undefined without a channel, or if the lookup fails. */
export async function fetchOwnChannelName(call: NamesCall): Promise<string | undefined> {
  return call.channel === undefined ? undefined : fetchName(call, 'channel', call.channel);
}

/** Fetches the name of a person or channel. Undefined for a private channel elsewhere, which the actor may not see. */
async function fetchName(call: NamesCall, kind: 'user' | 'channel', id: string) {
  if (kind === 'user') return fetchDisplayName(call, id);
  try {
    const { channel } = await call.client.conversations.info({ channel: id });
    const isHidden = channel?.is_private && id !== call.channel;
    return isHidden || !channel?.name ? undefined : limitText(channel.name, 'name');
  } catch (error) {
    // The bot may not see this channel, or Slack is busy. The text then uses what the message has.
    call.log.debug({ reference: call.reference, err: error }, 'could not look up a name');
    return undefined;
  }
}
