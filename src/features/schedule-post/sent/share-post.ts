import type { ActionCall } from '../../../app/call.ts';
import { fetchDisplayName } from '../../../slack/fetch-display-name.ts';
import { disableParsing, type Message } from '../../../slack/message.ts';
import { authorizeShare, getSharedId, returnToModalBelow } from '../../../slack/share-outside.ts';
import { renderSendError } from '../../../slack/slack-errors.ts';
import { showSubmission } from '../../../submissions/show-submission.ts';
import { findOwnSubmissionOfKind, setSharedAt } from '../../../submissions/sql/submissions.ts';
import { openSubmission, type Submission } from '../../../submissions/submission.ts';
import { type PostContent, renderSharedCard, SHARE_OUTSIDE } from './post-content.ts';
import { postSubmission } from './post-submission.ts';

/** The reply to a press on a button that belongs to another person or workspace, or has expired. */
export const BUTTON_UNAVAILABLE: Message = {
  text: 'This button isn’t yours, or it’s too old.',
};

/** [Share with channel] sends a card to the channel in which the form was opened. Each post is shared only once. */
export async function sharePost(call: ActionCall): Promise<void> {
  const post = await findOwnPost(call);
  if (!post?.channel) return call.reply(BUTTON_UNAVAILABLE);
  await call.permit('contributor', post.content.project.id, 'schedule-post share');
  const { context, client } = call;
  const share = {
    channel: post.channel,
    id: post.id,
    confirmAction: SHARE_OUTSIDE,
    subject: 'schedule-post share',
  } as const;
  if (!(await authorizeShare(call, share))) return;
  const author = { id: call.actor.user, name: await fetchDisplayName(call, call.actor.user) };
  const cardContext = { now: call.now(), isEmulated: context.isEmulated, author };
  const showResult = async (text: string) => {
    const modalCall = await returnToModalBelow(call, text);
    await showSubmission(modalCall ?? call, postSubmission, post.id, modalCall ? undefined : text);
  };
  const isFirstShare = await setSharedAt(context.db, { id: post.id, sharedAt: cardContext.now });
  if (!isFirstShare) return showResult(`I already shared this in <#${post.channel}>.`);
  try {
    await client.chat.postMessage({
      channel: post.channel,
      ...disableParsing(renderSharedCard(post.content, cardContext)),
    });
  } catch (error) {
    const errorText = renderSendError(error);
    // Slack may have sent the message without confirming it. The post stays marked as shared, to prevent a second card.
    if (errorText === undefined) throw error;
    await setSharedAt(context.db, { id: post.id, sharedAt: null });
    return showResult(`:warning: Not shared. ${errorText}`);
  }
  return showResult(`Shared with <#${post.channel}>.`);
}

/** Finds the post that a button belongs to. Undefined if the actor isn't the post's author. */
export async function findOwnPost(call: ActionCall): Promise<Submission<PostContent> | undefined> {
  const { workspace, user: author } = call.actor;
  const query = { id: getSharedId(call) ?? '', workspace, author, kind: postSubmission.name };
  const row = await findOwnSubmissionOfKind(call.context.db, query);
  return row && row.content !== null ? openSubmission(call.context, postSubmission, row) : undefined;
}
