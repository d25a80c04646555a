import { z } from 'zod';
import type { EventCall, Handler } from '../app/call.ts';
import type { PauseReason } from './digest.ts';

const channelFields = z.object({ channel: z.string(), connected_team_id: z.string().nullish() });

/**
 * Handlers of Slack's events about channels. Digests are paused if their channel is archived, deleted or shared, or if
 * the bot leaves it.
 */
export const DIGEST_EVENTS: Readonly<Record<string, Handler<EventCall>>> = {
  channel_archive: { deed: 'archive a channel', run: (call) => pauseDigestsIn(call, 'archived') },
  group_archive: { deed: 'archive a channel', run: (call) => pauseDigestsIn(call, 'archived') },
  channel_deleted: { deed: 'delete a channel', run: (call) => pauseDigestsIn(call, 'archived') },
  group_deleted: { deed: 'delete a channel', run: (call) => pauseDigestsIn(call, 'archived') },
  channel_left: { deed: 'leave a channel', run: (call) => pauseDigestsIn(call, 'not-in-channel') },
  group_left: { deed: 'leave a channel', run: (call) => pauseDigestsIn(call, 'not-in-channel') },
  channel_shared: { deed: 'share a channel with another organization', run: pauseSharedChannel },
};

async function pauseDigestsIn({ context, actor, event }: EventCall, reason: PauseReason): Promise<void> {
  const channel = channelFields.safeParse(event.payload).data?.channel;
  if (channel === undefined) return;
  await context.digests.pauseChannel({ workspace: actor.workspace, channel }, reason);
}

/** Handles the event that another organisation joined the channel. */
async function pauseSharedChannel({ context, actor, event }: EventCall): Promise<void> {
  const { channel, connected_team_id: team } = channelFields.safeParse(event.payload).data ?? {};
  if (channel === undefined) return;
  await context.digests.pauseInSharedChannel({ workspace: actor.workspace, channel }, team ? [team] : []);
}
