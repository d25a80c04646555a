import type { ActionCall } from '../../app/call.ts';
import { claimOnce, REQUEST_RETENTION_MS, releaseClaim } from '../../engine/once-claim.ts';
import { findCardReaders, readShownPost } from '../../held-posts/show.ts';
import { listHeldPostMessages, saveHeldPostMessage } from '../../held-posts/sql/messages.ts';
import { buildHeldPostValue } from '../../held-posts/text/held-post-buttons.ts';
import { renderHeldPostCard } from '../../held-posts/text/held-post-card.ts';
import { disableParsing } from '../../slack/message.ts';
import { authorizeShare, getSharedId, returnToModalBelow } from '../../slack/share-outside.ts';
import { renderSendError } from '../../slack/slack-errors.ts';
import { messageAddress } from '../../slack/tell-once.ts';
import { findPressedPost, NOT_VISIBLE } from './press.ts';

/** The button with which an owner confirms sharing with a channel that another organisation can read. */
export const SHARE_OUTSIDE_ACTION = 'held-posts.share-outside';

const SHARE_SUBJECT = 'held-posts action held-posts.share';

/** [Share] sends the card to the channel, where it changes with the post. A channel has at most one shared card. */
export async function sharePost(call: ActionCall): Promise<void> {
  const post = await findPressedPost(call, getSharedId(call));
  if (!post) return call.reply(NOT_VISIBLE);
  const { row } = post;
  await call.permit('contributor', row.project, SHARE_SUBJECT);
  const channel = findChannel(call, row.channel);
  if (channel === undefined)
    return call.reply({ text: 'There’s no channel to share it with here. Open the post from a channel.' });
  const { context } = call.context.heldPosts;
  const showResult = async (text: string) => {
    if (!(await returnToModalBelow(call, text))) await call.reply({ text });
  };
  const isShared = async () =>
    (await listHeldPostMessages(context.db, row)).some(
      (message) => message.channel === channel && message.purpose === 'shared',
    );
  const showShared = () =>
    showResult(`I already shared this in <#${channel}>. That message changes with the post.`);
  if (await isShared()) return showShared();
  const id = buildHeldPostValue(row);
  const share = { channel, id, confirmAction: SHARE_OUTSIDE_ACTION, subject: SHARE_SUBJECT } as const;
  if (!(await authorizeShare(call, share))) return;
  // Another press may share it at the same moment. If Slack's answer is lost, the claim expires.
  const claim = { workspace: row.workspace, name: `held-post share ${row.id} ${channel}` };
  if (!(await claimOnce(context.db, { ...claim, retentionMs: REQUEST_RETENTION_MS })))
    return showResult(
      `I’ve just begun to share this in <#${channel}>. If it isn’t there in 10 minutes, press again.`,
    );
  if (await isShared()) {
    await releaseClaim(context.db, claim);
    return showShared();
  }
  const card = renderHeldPostCard(
    await readShownPost(context, row),
    await findCardReaders(context, call.client, row),
  );
  try {
    const response = await call.client.chat.postMessage({ channel, ...disableParsing(card) });
    await saveHeldPostMessage(context.db, {
      workspace: row.workspace,
      held_post: row.id,
      ...messageAddress.parse(response),
      purpose: 'shared',
      sent_at: context.clock.readShared(),
    });
  } catch (error) {
    const errorText = renderSendError(error);
    if (errorText === undefined) throw error;
    await releaseClaim(context.db, claim);
    return showResult(`:warning: Not shared. ${errorText}`);
  }
  await releaseClaim(context.db, claim);
  await showResult(`Shared with <#${channel}>.`);
}

/** The channel of the press, or else the one that the post was written in. Direct messages can't be shared with. */
function findChannel({ channel: pressedIn }: ActionCall, writtenIn: string | null): string | undefined {
  return [pressedIn, writtenIn].find(
    (channel): channel is string => typeof channel === 'string' && !channel.startsWith('D'),
  );
}
