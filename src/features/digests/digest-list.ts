import { isPausedByUpnext } from '../../digests/digest.ts';
import { isChannelId } from '../../forms/conversation.ts';
import type { Call } from '../../handlers/call.ts';
import { readRenderOptions } from './digest-form-context.ts';
import { renderDigestList, renderSendNow } from './digest-messages.ts';
import { mayManage } from './permit-digest.ts';

/** Creates the list of the channel's and the person's digests. `result`: what came of a press (mrkdwn). */
export async function createDigestListMessage(call: Call, result?: string) {
  const { digests, ...list } = await readDigestList(call);
  return renderDigestList(digests, { ...list, ...(result !== undefined && { result }) });
}

/** Creates the message that offers to send a digest at once, or else the list. */
export async function createSendNowMessage(call: Call) {
  const { digests, ...list } = await readDigestList(call);
  const manageable = [...list.manageableDigests].filter((digest) => !isPausedByUpnext(digest));
  return manageable.length > 0 ? renderSendNow(manageable, list) : renderDigestList(digests, list);
}

async function readDigestList(call: Call) {
  const { actor, channel } = call;
  const { digests } = call.context;
  const isInChannel = isChannelId(channel);
  const [channelList, personalList, options] = await Promise.all([
    isInChannel ? digests.list({ workspace: actor.workspace, channel }) : undefined,
    digests.list({ workspace: actor.workspace, channel: actor.user }),
    readRenderOptions(call),
  ]);
  const allDigests = [...(channelList?.digests ?? []), ...personalList.digests];
  const mayManageEach = await Promise.all(allDigests.map((digest) => mayManage(call, digest)));
  return {
    digests: allDigests,
    manageableDigests: new Set(allDigests.filter((_, index) => mayManageEach[index])),
    ...options,
    isInChannel,
    unreadableCount: (channelList?.unreadableCount ?? 0) + personalList.unreadableCount,
  };
}
