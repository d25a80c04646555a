import type { Call } from '../../../app/call.ts';
import type { FormHandlers } from '../../../forms/create-form.ts';
import { EDITABLE_STATES } from '../../../held-posts/held-post.ts';
import { isReviewedAgain } from '../../../held-posts/review/decide.ts';
import { findRefusal } from '../../../held-posts/show.ts';
import { findHeldPost } from '../../../held-posts/sql/held-posts.ts';
import { readContent } from '../../../submissions/content.ts';
import { formatMoment } from '../../../when/when.ts';
import { type PostContent, toFormValues } from '../sent/post-content.ts';
import { postSubmission } from '../sent/post-submission.ts';

/** Opens the form with the current version of a held post. Its author and the project's publishers may edit it. */
export async function editHeldPostInForm(
  call: Call,
  form: Pick<FormHandlers, 'openForm'>,
  id: string,
): Promise<void> {
  const { context, actor } = call;
  const row = await findHeldPost(context.db, { id, workspace: actor.workspace });
  if (!row || !call.may('viewer', row.project)) return call.reply({ text: 'I can’t find this post.' });
  await call.permit(row.author === actor.user ? 'contributor' : 'publisher', row.project, 'held-posts edit');
  const { encryption } = context;
  const held = readContent({ encryption, log: call.log }, postSubmission, row);
  if (!held || !EDITABLE_STATES.includes(row.state))
    return call.reply({ text: 'This post can no longer be edited. Duplicate it to write a new one.' });
  const heldPost = { id: row.id, version: row.version, isInReview: isReviewedAgain(row) };
  const prefill = { ...toFormValues(addTimeText(held.content, call.now())), heldPost };
  const channel = row.channel ?? call.channel;
  const refusal = await findRefusal(context.heldPosts.context, row);
  await form.openForm(call, { prefill, ...(channel !== undefined && { channel }) }, { refusal });
}

/** Adds the text of the time, which a moved post doesn't have, because nobody typed its time into the form. */
function addTimeText(content: PostContent, now: Date): PostContent {
  const { moment, values } = content;
  if (!moment || values.when.trim() !== '') return content;
  const when = formatMoment({ instant: new Date(moment.instant), zone: moment.zone }, { now });
  return { ...content, values: { ...values, when } };
}
