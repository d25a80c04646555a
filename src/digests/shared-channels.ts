import type { WebClient } from '@slack/web-api';
import { createLookupCache } from '../cache/cache.ts';
import { INTERNAL_READERS, parseReaders, type Readers } from '../slack/audience.ts';
import { getSlackErrorCode, isTransient } from '../slack/slack-errors.ts';
import { classifySendError } from './send-message.ts';

interface TenantChannel {
  workspace: string;
  channel: string;
}

/** Finds out which other organisations read a channel. `unknown` if Slack doesn't say. */
export interface SharedChannels {
  readersOf(at: TenantChannel, client: WebClient): Promise<Readers | 'unknown'>;
}

/** The bot's channels as Slack lists them, by id. Undefined readers: the list doesn't say who reads the channel. */
interface ChannelList {
  channels: ReadonlyMap<string, Readers | undefined>;
  /** False if there are more channels than are read. */
  isComplete: boolean;
}

interface CachedChannels extends ChannelList {
  /** Look-ups of single channels of which the list doesn't say enough. */
  lookups: Map<string, Promise<Readers | 'unknown'>>;
}

/** A failed look-up of the list, and how long it is cached. */
interface FailedList {
  waitMs: number;
}

const PAGE = 200;
const MAX_PAGES = 10;
/** How long a failed look-up is cached, ms. Our own choice. */
const FAILED_MS = 5_000;

/**
 * The permanent errors of users.conversations. All others are temporary.
 * https://docs.slack.dev/reference/methods/users.conversations#errors
 */
const PERMANENT_ERRORS: readonly (string | undefined)[] = [
  'missing_scope',
  'no_permission',
  'access_denied',
  'not_allowed_token_type',
  'method_not_supported_for_channel_type',
  'enterprise_is_restricted',
  // Sending fails with these errors too, and handles them.
  'account_inactive',
  'invalid_auth',
  'not_authed',
  'token_expired',
  'token_revoked',
  'team_access_not_granted',
];

/**
 * Lists all of the bot's channels at once: one call for each channel would exceed Slack's rate limit (50 a minute) on a
 * morning with many digests. A channel of which the list doesn't say enough is looked up by itself. If Slack refuses to
 * list them, only its event about a newly shared channel tells that one is shared.
 * https://docs.slack.dev/reference/methods/users.conversations
 */
export function createSharedChannels(now: () => number, maxAgeMs: number): SharedChannels {
  const lists = createLookupCache<CachedChannels | FailedList>({
    maxAgeMs,
    now,
    ageOf: (found) => ('waitMs' in found ? found.waitMs : undefined),
  });
  return {
    async readersOf(at, client) {
      const { workspace, channel } = at;
      const found = await lists.get(workspace, () => list(workspace, client));
      if ('waitMs' in found) return 'unknown';
      const { channels, isComplete, lookups } = found;
      const listed = channels.get(channel);
      if (listed && !isUnnamed(listed)) return listed;
      const isListed = channels.has(channel);
      if (isComplete && !isListed) return INTERNAL_READERS;
      const lookup = lookups.get(channel) ?? fetchReaders(at, client, isListed ? listed : INTERNAL_READERS);
      lookups.set(channel, lookup);
      if ((await lookup) === 'unknown') lookups.delete(channel);
      return lookup;
    },
  };
}

async function list(workspace: string, client: WebClient): Promise<CachedChannels | FailedList> {
  try {
    return { ...(await listChannels(workspace, client)), lookups: new Map() };
  } catch (error) {
    if (PERMANENT_ERRORS.includes(getSlackErrorCode(error)))
      return { channels: new Map(), isComplete: true, lookups: new Map() };
    const sent = classifySendError(error);
    return { waitMs: sent.kind === 'rate-limited' ? sent.waitMs : FAILED_MS };
  }
}

function isUnnamed({ isShared, outsiders }: Readers): boolean {
  return isShared && outsiders.length === 0;
}

/** Looks up one channel. Never rejects. `fallback`: the result if Slack refuses permanently; sending is refused too. */
async function fetchReaders(
  { workspace, channel }: TenantChannel,
  client: WebClient,
  fallback: Readers | undefined,
): Promise<Readers | 'unknown'> {
  try {
    const { channel: found = {} } = await client.conversations.info({ channel });
    return parseReaders(found, workspace) ?? 'unknown';
  } catch (error) {
    return isTransient(error) ? 'unknown' : (fallback ?? 'unknown');
  }
}

async function listChannels(workspace: string, client: WebClient): Promise<ChannelList> {
  const channels = new Map<string, Readers | undefined>();
  let cursor: string | undefined;
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const listed = await client.users.conversations({
      types: 'public_channel,private_channel',
      exclude_archived: true,
      limit: PAGE,
      ...(cursor !== undefined && { cursor }),
    });
    for (const found of listed.channels ?? []) {
      if (found.id !== undefined) channels.set(found.id, parseReaders(found, workspace));
    }
    cursor = listed.response_metadata?.next_cursor;
    if (!cursor) return { channels, isComplete: true };
  }
  return { channels, isComplete: false };
}
