import type { ActionCall } from '../../../app/call.ts';
import { fetchDisplayName } from '../../../slack/fetch-display-name.ts';
import { disableParsing, type Message } from '../../../slack/message.ts';
import { authorizeShare, getSharedId, returnToModalBelow } from '../../../slack/share-outside.ts';
import { renderSendError } from '../../../slack/slack-errors.ts';
import { showSubmission } from '../../../submissions/show-submission.ts';
import { markShared, ownSubmission } from '../../../submissions/sql/submissions.ts';
import { openSubmission, type Submission } from '../../../submissions/submission.ts';
import { type PostContent, SHARE_OUTSIDE, sharedCard } from './post-content.ts';
import { postSubmission } from './post-submission.ts';

type Press = ActionCall;

/** Sent for a button that belongs to another person or workspace, or has expired. */
export const NOT_YOURS: Message = {
  text: 'This button belongs to somebody else, or to something that is no longer kept.',
};

/** [Share with channel]: sends a card once to the channel in which the form was opened. */
export async function sharePost(call: Press): Promise<void> {
  const post = await ownPost(call);
  if (!post?.channel) return call.reply(NOT_YOURS);
  await call.permit('contributor', post.content.project.id, 'schedule-post share');
  const { context, client } = call;
  const share = {
    channel: post.channel,
    id: post.id,
    confirmAction: SHARE_OUTSIDE,
    subject: 'schedule-post share',
  };
  if (!(await authorizeShare(call, share))) return;
  const by = await fetchDisplayName(call, call.actor.user);
  const seen = { now: call.now(), practice: context.practice, by };
  const show = async (said: string) => {
    const below = await returnToModalBelow(call, said);
    await showSubmission(below ?? call, postSubmission, post.id, below ? undefined : said);
  };
  const claimOnce = await markShared(context.db, { id: post.id, at: seen.now });
  if (!claimOnce)
    return show(`I have sent it to <#${post.channel}> once already, so I do not send it again.`);
  try {
    await client.chat.postMessage({
      channel: post.channel,
      ...disableParsing(sharedCard(post.content, seen)),
    });
  } catch (error) {
    const trouble = renderSendError(error);
    // Slack may have sent the message without confirming it. It stays marked as shared: none is better than two.
    if (trouble === undefined) throw error;
    await markShared(context.db, { id: post.id, at: null });
    return show(`:warning: Not shared. ${trouble}`);
  }
  return show(`Shared with <#${post.channel}>.`);
}

/** The post of a button, for its author; undefined for everybody else. */
export async function ownPost(call: Press): Promise<Submission<PostContent> | undefined> {
  const { workspace, user: author } = call.actor;
  const wanted = { id: getSharedId(call) ?? '', workspace, author, kind: postSubmission.name };
  const row = await ownSubmission(call.context.db, wanted);
  return row && row.content !== null ? openSubmission(call.context, postSubmission, row) : undefined;
}
