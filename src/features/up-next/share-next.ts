import type { KnownBlock } from '@slack/types';
import type { ActionCall } from '../../app/call.ts';
import { claimOnce, releaseOnce } from '../../delivery/done-once.ts';
import { section } from '../../slack/blocks.ts';
import { disableParsing } from '../../slack/message.ts';
import { authorizeShare, getSharedId } from '../../slack/share-outside.ts';
import { renderSendError } from '../../slack/slack-errors.ts';
import { findNextPosts } from './look-up.ts';
import { storeCopyToSchedule } from './schedule-again.ts';
import { renderButtons, renderCard, SHARE_OUTSIDE } from './up-next-messages.ts';

/** Retention of the mark that prevents sharing a card twice. People press the button within a day, if at all. */
const SHARED_RETENTION_MS = 24 * 60 * 60 * 1000;

const NOT_CHOSEN =
  'Nothing was shared: this channel is about no project any more. `/upnext use` chooses one.';

/** [Share with channel] sends the current next posts to the channel. Each card can be shared once. */
export async function onShare(call: ActionCall): Promise<void> {
  const { context, actor, channel, reference } = call;
  const cardId = getSharedId(call);
  if (channel === undefined || cardId === undefined) return;
  const lookUp = await findNextPosts(call);
  if ('replacement' in lookUp) return call.reply(lookUp.replacement);
  // Nobody chose these projects for this channel, so its members may not be meant to read about them.
  if (!lookUp.isChosen) return call.reply({ text: NOT_CHOSEN });
  const cardContext = { now: call.now(), isEmulated: context.isEmulated, reference };
  // Results other than posts, such as a failed request, are shown only to this person.
  const posts = lookUp.nextPosts.filter(({ kind }) => kind === 'post');
  const message = renderCard(posts.length > 0 ? posts : lookUp.nextPosts, cardContext);
  const copyId = await storeCopyToSchedule(call, lookUp.nextPosts);
  const replaceCard = (result: string, shareableCardId?: string) => {
    const buttons = renderButtons(lookUp.nextPosts, { cardId: shareableCardId, copyId });
    const blocks: KnownBlock[] = [...message.blocks, section(result), buttons];
    return call.reply({ text: `${result} ${message.text}`, blocks }, { replace: true });
  };
  if (posts.length === 0) return replaceCard('There is nothing to share any more.');
  const share = { channel, id: cardId, confirmAction: SHARE_OUTSIDE, subject: 'up-next share' } as const;
  if (!(await authorizeShare(call, share))) return;
  const name = `share.${actor.user}.${cardId}`;
  const onceKey = { workspace: actor.workspace, name };
  if (!(await claimOnce(context.db, { ...onceKey, now: cardContext.now, retentionMs: SHARED_RETENTION_MS })))
    return replaceCard(`I have sent it to <#${channel}> once already, so I do not send it again.`);
  try {
    await call.client.chat.postMessage({ channel, ...disableParsing(message) });
  } catch (error) {
    const errorText = renderSendError(error);
    // Slack may have sent the message although it didn't confirm it. The card then stays marked as shared.
    if (errorText === undefined) throw error;
    await releaseOnce(context.db, onceKey);
    return replaceCard(`:warning: Not shared. ${errorText}`, cardId);
  }
  return replaceCard(`Shared with <#${channel}>.`);
}
