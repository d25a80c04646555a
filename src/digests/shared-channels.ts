import type { WebClient } from '@slack/web-api';

/** Whether other organisations read a channel. */
export interface SharedChannels {
  has(at: { workspace: string; channel: string }, client: WebClient): Promise<boolean>;
}

const PAGE = 200;
const MOST_PAGES = 10;

/**
 * All channels that the bot is in, at once: asked for each channel, a morning of digests would be more than Slack
 * answers (50 a minute). Where Slack does not say, the event that it sends when a channel is shared is all there is.
 * https://docs.slack.dev/reference/methods/users.conversations
 */
export function createSharedChannels(now: () => number, keptMs: () => number): SharedChannels {
  const known = new Map<string, { until: number; shared: Promise<ReadonlySet<string>> }>();
  return {
    async has({ workspace, channel }, client) {
      const kept = known.get(workspace);
      if (kept && now() < kept.until) return (await kept.shared).has(channel);
      const shared = sharedChannels(client).catch(() => kept?.shared ?? new Set<string>());
      known.set(workspace, { until: now() + keptMs(), shared });
      return (await shared).has(channel);
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
