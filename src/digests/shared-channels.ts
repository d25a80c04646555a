import type { WebClient } from '@slack/web-api';
import { createLookupCache } from '../cache/cache.ts';
import { INTERNAL_READERS, parseReaders, type Readers } from '../slack/audience.ts';
import { getSlackErrorCode, isTransient } from '../slack/slack-errors.ts';
import { classifySendError } from './send-message.ts';

export interface TenantChannel {
  workspace: string;
  channel: string;
}

export type SharedChannels = ReturnType<typeof createSharedChannels>;

/**
 * The bot's channels as Slack lists them, by id. Readers are undefined if the list doesn't identify them. A complete list
 * omits the channels with internal readers only.
 */
interface ChannelList {
  channels: ReadonlyMap<string, Readers | undefined>;
  /** False if the list exceeds `MAX_PAGES`. */
  isComplete: boolean;
}

interface CachedChannels extends ChannelList {
  /** Lookups of channels whose readers the list doesn't identify, by channel id. They end with the list. */
  lookups: Map<string, Promise<Readers | 'unknown'>>;
}

/** A failed request for the list, and how long the failure is cached. */
interface FailedList {
  waitMs: number;
}

const PAGE_SIZE = 200;
const MAX_PAGES = 10;
/** How long a failed request for the list is cached. */
const FAILED_MAX_AGE_MS = 5_000;

/**
 * The permanent errors of users.conversations. All other errors are temporary.
 * https://docs.slack.dev/reference/methods/users.conversations#errors
 */
const PERMANENT_ERRORS: readonly (string | undefined)[] = [
  'missing_scope',
  'no_permission',
  'access_denied',
  'not_allowed_token_type',
  'method_not_supported_for_channel_type',
  'enterprise_is_restricted',
  // Slack refuses the message with these errors too, and `classifySendError` handles them there.
  'account_inactive',
  'invalid_auth',
  'not_authed',
  'token_expired',
  'token_revoked',
  'team_access_not_granted',
];

/**
 * Lists all of the bot's channels at once. One call for each channel would exceed Slack's rate limit (50 a minute) on a
 * morning with many digests. A channel is looked up individually if the list doesn't identify its readers. If Slack
 * refuses the list, Upnext learns of a shared channel only from Slack's event.
 * https://docs.slack.dev/reference/methods/users.conversations
 */
export function createSharedChannels(now: () => number, maxAgeMs: number) {
  const lists = createLookupCache<CachedChannels | FailedList>({
    maxAgeMs,
    now,
    maxAgeOf: (found) => ('waitMs' in found ? found.waitMs : undefined),
  });
  return {
    /** Finds the other organisations that read a channel. `unknown` if Slack doesn't return them. */
    async findReaders(tenantChannel: TenantChannel, client: WebClient): Promise<Readers | 'unknown'> {
      const { workspace, channel } = tenantChannel;
      const list = await lists.get(workspace, () => loadChannels(workspace, client));
      if ('waitMs' in list) return 'unknown';
      const isListed = list.channels.has(channel);
      if (!isListed && list.isComplete) return INTERNAL_READERS;
      const readers = isListed ? list.channels.get(channel) : INTERNAL_READERS;
      const areOutsidersKnown = readers && !(readers.isShared && readers.outsiders.length === 0);
      if (isListed && areOutsidersKnown) return readers;
      const lookup = list.lookups.get(channel) ?? fetchReaders(tenantChannel, client, readers);
      list.lookups.set(channel, lookup);
      if ((await lookup) === 'unknown') list.lookups.delete(channel);
      return lookup;
    },
  };
}

async function loadChannels(workspace: string, client: WebClient): Promise<CachedChannels | FailedList> {
  try {
    return { ...(await listChannels(workspace, client)), lookups: new Map() };
  } catch (error) {
    if (PERMANENT_ERRORS.includes(getSlackErrorCode(error)))
      return { channels: new Map(), isComplete: true, lookups: new Map() };
    const failure = classifySendError(error);
    return { waitMs: failure.kind === 'rate-limited' ? failure.waitMs : FAILED_MAX_AGE_MS };
  }
}

/** Looks up one channel. Never rejects. `fallback`: for a permanent refusal, after which the message is refused too. */
async function fetchReaders(
  { workspace, channel }: TenantChannel,
  client: WebClient,
  fallback: Readers | undefined,
): Promise<Readers | 'unknown'> {
  try {
    const { channel: info = {} } = await client.conversations.info({ channel });
    return parseReaders(info, workspace) ?? 'unknown';
  } catch (error) {
    return isTransient(error) ? 'unknown' : (fallback ?? 'unknown');
  }
}

async function listChannels(workspace: string, client: WebClient): Promise<ChannelList> {
  const channels = new Map<string, Readers | undefined>();
  let cursor: string | undefined;
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const response = await client.users.conversations({
      types: 'public_channel,private_channel',
      exclude_archived: true,
      limit: PAGE_SIZE,
      ...(cursor !== undefined && { cursor }),
    });
    for (const info of response.channels ?? []) {
      if (info.id !== undefined) channels.set(info.id, parseReaders(info, workspace));
    }
    cursor = response.response_metadata?.next_cursor;
    // A channel that isn't in a complete list has only internal readers. Storing only the others saves memory.
    if (!cursor)
      return {
        channels: new Map([...channels].filter(([, readers]) => readers?.isShared !== false)),
        isComplete: true,
      };
  }
  return { channels, isComplete: false };
}
