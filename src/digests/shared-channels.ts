import type { WebClient } from '@slack/web-api';
import type { Permission } from '../access/held.ts';
import { slackErrorCode } from '../slack/slack-trouble.ts';
import { sentOf } from './post-message.ts';

/** Whether other organisations read a channel; `unknown` where Slack may say so another time. */
export interface SharedChannels {
  has(at: { workspace: string; channel: string }, client: WebClient): Promise<Permission>;
}

type Known = ReadonlySet<string> | 'unknown';

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
 * answers (50 a minute). Where Slack refuses to say, the event that it sends when a channel is shared is all there is.
 * https://docs.slack.dev/reference/methods/users.conversations
 */
export function createSharedChannels(now: () => number, keptMs: () => number): SharedChannels {
  const known = new Map<string, { until: number; shared: Promise<Known> }>();
  const lookUp = async (workspace: string, client: WebClient): Promise<Known> => {
    try {
      return await sharedChannels(client);
    } catch (error) {
      if (REFUSALS.includes(slackErrorCode(error))) return new Set<string>();
      const sent = sentOf(error);
      const waitMs = sent.kind === 'later' ? sent.waitMs : FAILED_MS;
      const mine = known.get(workspace);
      if (mine) mine.until = now() + waitMs;
      return 'unknown';
    }
  };
  return {
    async has({ workspace, channel }, client) {
      let mine = known.get(workspace);
      if (!mine || now() >= mine.until) {
        mine = { until: now() + keptMs(), shared: lookUp(workspace, client) };
        known.set(workspace, mine);
      }
      const shared = await mine.shared;
      if (shared === 'unknown') return 'unknown';
      return shared.has(channel) ? 'yes' : 'no';
    },
  };
}

async function sharedChannels(client: WebClient): Promise<ReadonlySet<string>> {
  const shared = new Set<string>();
  let cursor: string | undefined;
  for (let page = 0; page < MOST_PAGES; page += 1) {
    const listed = await client.users.conversations({
      types: 'public_channel,private_channel',
      exclude_archived: true,
      limit: PAGE,
      ...(cursor !== undefined && { cursor }),
    });
    for (const { id, is_ext_shared: isShared } of listed.channels ?? []) {
      if (id !== undefined && isShared) shared.add(id);
    }
    cursor = listed.response_metadata?.next_cursor;
    if (!cursor) break;
  }
  return shared;
}
