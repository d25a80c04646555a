import { z } from 'zod';
import type { EventCall } from '../app/call.ts';
import type { PauseReason } from './digest.ts';

const about = z.object({ channel: z.string(), connected_team_id: z.string().optional() });

/** Handlers for a feature's `events`: a channel that is archived, left or shared pauses its digests. */
export const DIGEST_EVENTS: Readonly<Record<string, (call: EventCall) => Promise<void>>> = {
  channel_archive: (call) => pause(call, 'archived'),
  group_archive: (call) => pause(call, 'archived'),
  channel_deleted: (call) => pause(call, 'archived'),
  group_deleted: (call) => pause(call, 'archived'),
  channel_left: (call) => pause(call, 'not-in-channel'),
  group_left: (call) => pause(call, 'not-in-channel'),
  channel_shared: pauseShared,
};

async function pause({ context, actor, event }: EventCall, reason: PauseReason): Promise<void> {
  const channel = about.safeParse(event.payload).data?.channel;
  if (channel === undefined) return;
  await context.digests.pauseChannel({ workspace: actor.workspace, channel }, reason);
}

/** Another organisation joined the channel. */
async function pauseShared({ context, actor, event }: EventCall): Promise<void> {
  const { channel, connected_team_id: team } = about.safeParse(event.payload).data ?? {};
  if (channel === undefined) return;
  await context.digests.pauseShared(
    { workspace: actor.workspace, channel },
    team === undefined ? [] : [team],
  );
}
