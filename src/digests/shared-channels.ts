import type { WebClient } from '@slack/web-api';
import { createLookupCache } from '../cache/cache.ts';
import { INTERNAL_READERS, parseReaders, type Readers } from '../slack/audience.ts';
import { isTransient, slackErrorCode } from '../slack/slack-trouble.ts';
import { sentOf } from './post-message.ts';

interface TenantChannel {
  workspace: string;
  channel: string;
}

/** Which other organisations read a channel; `unknown` where that could not be found out. */
export interface SharedChannels {
  readersOf(at: TenantChannel, client: WebClient): Promise<Readers | 'unknown'>;
}

/** What Slack's list says of the channels that the bot is in, by id; undefined where it doesn't say. */
interface Listed {
  channels: ReadonlyMap<string, Readers | undefined>;
  /** Whether the list was read to its end. */
  isWhole: boolean;
}

interface Known extends Listed {
  /** What Slack said of single channels, of which the list doesn't say enough. */
  asked: Map<string, Promise<Readers | 'unknown'>>;
}

/** Slack did not list them, and isn't asked again for so long. */
interface Unknown {
  waitMs: number;
}

const PAGE = 200;
const MOST_PAGES = 10;
/** A failed look-up is shared by the digests that come within this time, ms. Our own choice. */
const FAILED_MS = 5_000;

/**
 * The errors of users.conversations with which Slack will go on refusing; what is not listed may pass.
 * https://docs.slack.dev/reference/methods/users.conversations#errors
 */
const REFUSALS: readonly (string | undefined)[] = [
  'missing_scope',
  'no_permission',
  'access_denied',
  'not_allowed_token_type',
  'method_not_supported_for_channel_type',
  'enterprise_is_restricted',
  // Posting meets these as well, and knows what they mean.
  'account_inactive',
  'invalid_auth',
  'not_authed',
  'token_expired',
  'token_revoked',
  'team_access_not_granted',
];

/**
 * All channels that the bot is in, at once: asked for each channel, a morning of digests would be more than Slack
 * answers (50 a minute). Only where the list doesn't say enough of a channel, that one is asked about. Where Slack
 * refuses to list, the event that it sends when a channel is shared is all there is.
 * https://docs.slack.dev/reference/methods/users.conversations
 */
export function createSharedChannels(now: () => number, maxAgeMs: number): SharedChannels {
  const known = createLookupCache<Known | Unknown>({
    maxAgeMs,
    now,
    ageOf: (found) => ('waitMs' in found ? found.waitMs : undefined),
  });
  return {
    async readersOf(at, client) {
      const { workspace, channel } = at;
      const found = await known.get(workspace, () => list(workspace, client));
      if ('waitMs' in found) return 'unknown';
      const { channels, isWhole, asked } = found;
      const said = channels.get(channel);
      if (said && !isUnnamed(said)) return said;
      const isListed = channels.has(channel);
      if (isWhole && !isListed) return INTERNAL_READERS;
      const answer = asked.get(channel) ?? ask(at, client, isListed ? said : INTERNAL_READERS);
      asked.set(channel, answer);
      if ((await answer) === 'unknown') asked.delete(channel);
      return answer;
    },
  };
}

async function list(workspace: string, client: WebClient): Promise<Known | Unknown> {
  try {
    return { ...(await listChannels(workspace, client)), asked: new Map() };
  } catch (error) {
    if (REFUSALS.includes(slackErrorCode(error)))
      return { channels: new Map(), isWhole: true, asked: new Map() };
    const sent = sentOf(error);
    return { waitMs: sent.kind === 'later' ? sent.waitMs : FAILED_MS };
  }
}

function isUnnamed({ isShared, outsiders }: Readers): boolean {
  return isShared && outsiders.length === 0;
}

/** Never rejects. `otherwise`: what counts where Slack refuses to say; posting meets the same refusal. */
async function ask(
  { workspace, channel }: TenantChannel,
  client: WebClient,
  otherwise: Readers | undefined,
): Promise<Readers | 'unknown'> {
  try {
    const { channel: found = {} } = await client.conversations.info({ channel });
    return parseReaders(found, workspace) ?? 'unknown';
  } catch (error) {
    return isTransient(error) ? 'unknown' : (otherwise ?? 'unknown');
  }
}

async function listChannels(workspace: string, client: WebClient): Promise<Listed> {
  const channels = new Map<string, Readers | undefined>();
  let cursor: string | undefined;
  for (let page = 0; page < MOST_PAGES; page += 1) {
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
    if (!cursor) return { channels, isWhole: true };
  }
  return { channels, isWhole: false };
}
