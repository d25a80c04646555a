import { z } from 'zod';
import type { EventCall } from '../slack/feature.ts';
import type { PausedWhy } from './digest.ts';
import type { DigestParts } from './parts.ts';

type Heard = EventCall<DigestParts>;

const about = z.object({ channel: z.string() });
const revoked = z.object({ tokens: z.object({ bot: z.array(z.string()).optional() }) });

/** What happens to channels and to the app, for a feature's `events`: the digests there are paused, and their owners told. */
export const DIGEST_EVENTS: Readonly<Record<string, (call: Heard) => Promise<void>>> = {
  channel_archive: (call) => pause(call, 'archived'),
  group_archive: (call) => pause(call, 'archived'),
  channel_deleted: (call) => pause(call, 'archived'),
  group_deleted: (call) => pause(call, 'archived'),
  channel_left: (call) => pause(call, 'not-in-channel'),
  group_left: (call) => pause(call, 'not-in-channel'),
  channel_shared: (call) => pause(call, 'shared'),
  app_uninstalled: ({ parts, who }) => parts.digests.pauseWorkspace(who.workspace),
  async tokens_revoked({ parts, who, event }) {
    const tokens = revoked.safeParse(event.about).data?.tokens.bot ?? [];
    if (tokens.length > 0) await parts.digests.pauseWorkspace(who.workspace);
  },
};

async function pause({ parts, who, event }: Heard, why: PausedWhy): Promise<void> {
  const channel = about.safeParse(event.about).data?.channel;
  if (channel === undefined) return;
  await parts.digests.pauseChannel({ workspace: who.workspace, channel }, why);
}
