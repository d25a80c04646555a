import { z } from 'zod';
import type { ActionCall, Call, SubmissionCall } from '../../app/call.ts';
import { fetchReader } from '../../forms/form-context.ts';
import type { HeldPostRow } from '../../held-posts/held-post.ts';
import type { DecisionPress, DecisionResult } from '../../held-posts/review/decide.ts';
import { loadReview } from '../../held-posts/review/load-review.ts';
import { updateReviewRequests } from '../../held-posts/review/notify-reviewers.ts';
import { parseReviewValue } from '../../held-posts/review/review-buttons.ts';
import { renderReviewRequest } from '../../held-posts/review/review-text.ts';
import { readShownReview } from '../../held-posts/review/show-review.ts';
import { findHeldPost } from '../../held-posts/sql/held-posts.ts';
import { listHeldPostMessages } from '../../held-posts/sql/messages.ts';
import { decodeButtonState } from '../../slack/interaction-values.ts';
import { NOT_VISIBLE } from './press.ts';

/** A pressed button of a review: the post as it is now, and the version that the person saw. */
export interface PressedReview {
  row: HeldPostRow;
  press: DecisionPress;
}

/** Finds the post of a review's button in the person's workspace. Undefined if they may not see it. */
export async function findPressedReview(
  call: Call,
  value: string | undefined,
): Promise<PressedReview | undefined> {
  const target = parseReviewValue(value);
  if (!target) return undefined;
  const { workspace, user: actor } = call.actor;
  const row = await findHeldPost(call.context.db, { id: target.id, workspace });
  if (!row || call.lacks('viewer', row.project)) return undefined;
  // Throws if the role couldn't be looked up.
  await call.permit('viewer', row.project, 'held-posts open');
  return { row, press: { ...target, workspace, actor } };
}

/** The target of a form: the pressed button, who opened the form, and the decision. */
const reviewTarget = z.object({
  post: z.string(),
  actor: z.string(),
  decision: z.enum(['changes-requested', 'rejected']).optional(),
});
type ReviewTarget = z.infer<typeof reviewTarget>;

/** Encodes the target of a form for its view's metadata. */
export function encodeReviewTarget(call: ActionCall, decision?: ReviewTarget['decision']): string {
  return JSON.stringify({ post: call.action.value ?? '', actor: call.actor.user, decision });
}

/** Finds the post of a submitted form. Undefined if somebody else opened the form, or may not see the post any more. */
export async function findReviewTarget(
  call: SubmissionCall,
): Promise<(PressedReview & Pick<ReviewTarget, 'decision'>) | undefined> {
  const target = decodeButtonState(reviewTarget, call.view.metadata);
  if (target?.actor !== call.actor.user) return undefined;
  const post = await findPressedReview(call, target.post);
  return post && { ...post, decision: target.decision };
}

const REFUSALS = {
  own: 'You wrote this post, so somebody else has to review it.',
  edited: 'You’ve edited this post, so somebody else has to review it.',
  decided: 'You’ve already approved this version.',
  'not-asked': 'This post isn’t waiting for your review.',
  approved: 'This post is already approved.',
  overdue: 'The time of this post has passed, so nothing was done. Approve it for a new time instead.',
  stopped: 'Sending is stopped for this project, so nothing was done. Approve the post after that.',
} as const;

/** Says why a decision changed nothing (mrkdwn). Undefined if it was applied. */
export function describeRefusal(result: DecisionResult): string | undefined {
  switch (result.kind) {
    case 'changed':
      return undefined;
    case 'may-not':
      return REFUSALS[result.reason];
    case 'outdated':
      return 'This post has changed since, so nothing was done. This is the current version.';
    case 'too-late':
      return 'This post is no longer in review, so nothing was done.';
    case 'not-checked':
      return 'I couldn’t check whether you may decide on this post, so nothing was done. Try again.';
    case 'not-found':
      return NOT_VISIBLE.text;
  }
}

/** Shows a post in review after a press: in the request, which everyone reads, or to the person only. */
export async function showReview(
  call: ActionCall,
  row: HeldPostRow,
  note: string | undefined,
): Promise<void> {
  const { context } = call.context.heldPosts;
  const messages = await listHeldPostMessages(context.db, row);
  const isRequest = messages.some(({ ts, purpose }) => purpose === 'review' && ts === call.message?.ts);
  await updateOthers(call, row);
  if (!isRequest) return call.reply(await renderForReviewer(call, row, note), { replace: true });
  if (note !== undefined) await call.reply({ text: note });
}

/** Updates the requests to review a post. A failure is logged, because the notification updates them again. */
export async function updateOthers(call: ActionCall | SubmissionCall, row: HeldPostRow): Promise<void> {
  try {
    await updateReviewRequests(call.context.heldPosts.context, call.client, row);
    call.context.submissions.context.onAuthorNotified(call.actor);
  } catch (error) {
    call.log.warn({ reference: call.reference, err: error }, 'could not update a review request');
  }
}

/** Renders the request for the person who acts. */
export async function renderForReviewer(call: Call, row: HeldPostRow, note?: string | undefined) {
  const { context } = call.context.heldPosts;
  const review = await loadReview(context, row, { listsEverybody: true });
  const [shown, viewers] = await Promise.all([
    readShownReview(context, call.client, review),
    fetchReader(call),
  ]);
  return renderReviewRequest(
    shown,
    { viewers: { ...viewers, user: call.actor.user }, now: call.now() },
    note,
  );
}
