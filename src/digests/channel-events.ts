import { z } from 'zod';
import type { EventCall } from '../app/call.ts';
import type { PauseReason } from './digest.ts';

const channelFields = z.object({ channel: z.string(), connected_team_id: z.string().nullish() });

/**
 * Handlers of Slack's events about channels. Digests are paused if their channel is archived, deleted or shared, or if
 * the bot leaves it.
 */
export const DIGEST_EVENTS: Readonly<Record<string, (call: EventCall) => Promise<void>>> = {
  channel_archive: (call) => pauseDigestsIn(call, 'archived'),
  group_archive: (call) => pauseDigestsIn(call, 'archived'),
  channel_deleted: (call) => pauseDigestsIn(call, 'archived'),
  group_deleted: (call) => pauseDigestsIn(call, 'archived'),
  channel_left: (call) => pauseDigestsIn(call, 'not-in-channel'),
  group_left: (call) => pauseDigestsIn(call, 'not-in-channel'),
  channel_shared: pauseSharedChannel,
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
