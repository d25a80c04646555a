import type { KnownBlock } from '@slack/types';
import type { ActionCall } from '../../app/call.ts';
import { claimOnce, releaseClaim } from '../../engine/once-claim.ts';
import { section } from '../../slack/blocks.ts';
import { disableParsing } from '../../slack/message.ts';
import { authorizeShare, getSharedId } from '../../slack/share-outside.ts';
import { renderSendError } from '../../slack/slack-errors.ts';
import { storeCopyOfOnlyPost } from './duplicate-next.ts';
import { loadNextPosts } from './load-next-posts.ts';
import { CONFIRM_SHARE_OUTSIDE_ACTION, renderButtons, renderCard } from './up-next-messages.ts';

/** Retention of the record that prevents a card from being shared twice. Hardly anybody shares a card after a day. */
const SHARED_RETENTION_MS = 24 * 60 * 60 * 1000;

const NOT_CHOSEN = 'Not shared. This channel no longer follows a project: choose one with `/upnext use`.';

/** Handles [Share with channel]. Sends the current next posts to the channel. Each card can be shared once. */
export async function onShare(call: ActionCall): Promise<void> {
  const { context, actor, channel, reference } = call;
  const cardId = getSharedId(call);
  if (channel === undefined || cardId === undefined) return;
  const loadResult = await loadNextPosts(call);
  if ('message' in loadResult) return call.reply(loadResult.message);
  // Nobody chose these projects for this channel, so perhaps its members shouldn't read about them.
  if (!loadResult.isProjectChosen) return call.reply({ text: NOT_CHOSEN });
  const cardContext = {
    now: call.now(),
    viewers: 'everyone',
    reference,
  } as const;
  // Failures and projects without a post are shown only to the actor.
  const posts = loadResult.nextPosts.filter(({ kind }) => kind === 'post');
  const message = renderCard(posts.length > 0 ? posts : loadResult.nextPosts, cardContext);
  const copyId = await storeCopyOfOnlyPost(call, loadResult.nextPosts);
  const replaceCard = (result: string, shareableCardId?: string) => {
    const buttons = renderButtons(loadResult.nextPosts, { cardId: shareableCardId, copyId });
    const blocks: KnownBlock[] = [...message.blocks, section(result), buttons];
    return call.reply({ text: `${result} ${message.text}`, blocks }, { replace: true });
  };
  if (posts.length === 0) return replaceCard('There’s nothing left to share.');
  const shareRequest = {
    channel,
    id: cardId,
    confirmAction: CONFIRM_SHARE_OUTSIDE_ACTION,
    subject: 'up-next share',
  } as const;
  if (!(await authorizeShare(call, shareRequest))) return;
  const name = `share.${actor.user}.${cardId}`;
  const deduplicationKey = { workspace: actor.workspace, name };
  if (!(await claimOnce(context.db, { ...deduplicationKey, retentionMs: SHARED_RETENTION_MS })))
    return replaceCard(`I already shared this in <#${channel}>.`);
  try {
    await call.client.chat.postMessage({ channel, ...disableParsing(message) });
  } catch (error) {
    const errorText = renderSendError(error);
    // Slack may have sent the message without confirming it. The card then stays marked as shared.
    if (errorText === undefined) throw error;
    await releaseClaim(context.db, deduplicationKey);
    return replaceCard(`:warning: Not shared. ${errorText}`, cardId);
  }
  return replaceCard(`Shared with <#${channel}>.`);
}
