import type { ModalView } from '@slack/types';
import { z } from 'zod';
import { fetchReader } from '../../forms/form-context.ts';
import type { ActionCall, Call, SubmissionCall } from '../../handlers/call.ts';
import type { Feature } from '../../handlers/feature.ts';
import type { HeldPostRow } from '../../held-posts/held-post.ts';
import {
  approveForNewTime,
  approveHeldPost,
  type DecisionPress,
  type DecisionResult,
  isInReview,
  returnForChanges,
} from '../../held-posts/review/decide.ts';
import { loadReview } from '../../held-posts/review/load-review.ts';
import { updateReviewRequests } from '../../held-posts/review/notify-reviewers.ts';
import { renderReviewRequest } from '../../held-posts/review/review-text.ts';
import { readShownReview } from '../../held-posts/review/show-review.ts';
import { findHeldPost } from '../../held-posts/sql/held-posts.ts';
import { listHeldPostMessages } from '../../held-posts/sql/messages.ts';
import { parseReviewValue, REVIEW_ACTIONS } from '../../held-posts/text/held-post-buttons.ts';
import { context, option, plain, plainSection, section } from '../../slack/blocks.ts';
import { decodeButtonState, getChosenOptions, getTextInput } from '../../slack/interaction-values.ts';
import type { Message } from '../../slack/message.ts';
import { buildMessageView, buildSubmitModal, buildTextInput } from '../../slack/message-view.ts';
import { readTime, renderWhenView, WHEN_BLOCK } from './move.ts';
import { readSlotWish, takeSlotForPost } from './move-to-slot.ts';
import { answerWithError, answerWithMessage, NOT_VISIBLE } from './press.ts';

const REASON_VIEW = 'review.reason';
const APPROVE_LATER_VIEW = 'review.approve-later';

/** Viewers may try, because the policy of the post's project says who may review it. */
const role = 'viewer';

/** The handlers of the buttons of a review. Each press is checked again: the role, the version, and "not your own". */
export const reviewActions: NonNullable<Feature['actions']> = {
  [REVIEW_ACTIONS.approve]: { deed: 'approve a post', role, run: (call) => onPress(call, approve) },
  [REVIEW_ACTIONS['approve-later']]: {
    deed: 'open the form that approves a post for a new time',
    role,
    run: (call) => onPress(call, askForTime),
  },
  [REVIEW_ACTIONS['request-changes']]: {
    deed: 'open the form that returns a post',
    role,
    run: (call) => onPress(call, (_, post) => askForReason(call, post, 'changes-requested')),
  },
  [REVIEW_ACTIONS.reject]: {
    deed: 'open the form that returns a post',
    role,
    run: (call) => onPress(call, (_, post) => askForReason(call, post, 'rejected')),
  },
  [REVIEW_ACTIONS.open]: { deed: 'open a post for review', role, run: (call) => onPress(call, openReview) },
};

export const reviewViews: NonNullable<Feature['views']> = {
  [REASON_VIEW]: { deed: 'return a post to its author', role, run: saveReason },
  [APPROVE_LATER_VIEW]: { deed: 'approve a post for a new time', role, run: approveLater },
};

async function onPress(
  call: ActionCall,
  run: (call: ActionCall, post: PressedReview) => Promise<void>,
): Promise<void> {
  const post = await findPressedReview(call, call.action.value);
  if (!post) return call.reply(NOT_VISIBLE);
  await run(call, post);
}

async function approve(call: ActionCall, { press, row }: PressedReview): Promise<void> {
  const result = await approveHeldPost(call.context.heldPosts.context, press);
  await showReview(call, 'row' in result ? result.row : row, describeRefusal(result));
}

async function openReview(call: ActionCall, { row }: PressedReview): Promise<void> {
  await call.openView(buildMessageView(call.sealButtons(await renderForReviewer(call, row)), 'Close'));
}

/** Finds out before a form is opened whether its decision certainly has no effect. */
function findObstacle({ row, press }: PressedReview): DecisionResult | undefined {
  if (!isInReview(row)) return { kind: 'too-late', row };
  if (row.author === press.actor) return { kind: 'may-not', reason: 'own', row };
  return row.version === press.version ? undefined : { kind: 'outdated', row };
}

async function askForTime(call: ActionCall, post: PressedReview): Promise<void> {
  const obstacle = findObstacle(post);
  if (obstacle) return showReview(call, post.row, describeRefusal(obstacle));
  await call.openView(
    renderWhenView({
      callbackId: APPROVE_LATER_VIEW,
      metadata: encodeReviewTarget(call),
      title: 'Approve for…',
      submit: 'Approve',
      hint: 'A new time for the post, such as “tomorrow 9am” or “next slot”.',
    }),
    { isForm: true },
  );
}

/** Approves the post for the typed time. Whatever is wrong is said under the field, and the typed text stays. */
async function approveLater(call: SubmissionCall): Promise<void> {
  const post = await findReviewTarget(call);
  if (!post) return closeWith(call, NOT_VISIBLE);
  const wish = await readSlotWish(call, post.row, getTextInput(call.view.values, WHEN_BLOCK));
  const time =
    typeof wish === 'object'
      ? await takeSlotForPost(call, post.row, wish)
      : (wish ?? (await readTime(call, post.row)));
  if (typeof time === 'string') return answerWithError(call, WHEN_BLOCK, time);
  await respond(call, await approveForNewTime(call.context.heldPosts.context, post.press, time));
}

/** The reasons that a reviewer can choose. Our own list, in the order of how often copy is returned for them. */
const LABELS = ['Wording or tone', 'Facts', 'Time or platforms', 'Image or link', 'Legal or brand'] as const;
const LABELS_BLOCK = 'labels';
const TEXT_BLOCK = 'text';
/** A longer reason wouldn't fit the messages that show it. */
const MAX_REASON_LENGTH = 1_500;

type ReturnDecision = 'changes-requested' | 'rejected';

async function askForReason(call: ActionCall, post: PressedReview, decision: ReturnDecision): Promise<void> {
  const obstacle = findObstacle(post);
  if (obstacle) return showReview(call, post.row, describeRefusal(obstacle));
  const metadata = encodeReviewTarget(call, decision);
  await call.openView(renderReasonView(decision, metadata), { isForm: true });
}

function renderReasonView(decision: ReturnDecision, metadata: string): ModalView {
  const title = decision === 'rejected' ? 'Reject' : 'Request changes';
  const label = decision === 'rejected' ? 'Why?' : 'What should change?';
  return buildSubmitModal({ id: REASON_VIEW, metadata, title, submit: title }, [
    {
      type: 'input',
      block_id: LABELS_BLOCK,
      optional: true,
      label: plain('What is it about?'),
      element: { type: 'checkboxes', action_id: 'value', options: LABELS.map((name) => option(name, name)) },
    },
    buildTextInput(TEXT_BLOCK, label, { optional: true, multiline: true, max_length: MAX_REASON_LENGTH }),
    context('The post becomes a draft again, with all its content. Your reason never goes to the service.'),
  ]);
}

async function saveReason(call: SubmissionCall): Promise<void> {
  const post = await findReviewTarget(call);
  const text = getTextInput(call.view.values, TEXT_BLOCK).trim().slice(0, MAX_REASON_LENGTH);
  if (!post?.decision) return closeWith(call, NOT_VISIBLE, text);
  const labels = getChosenOptions(call.view.values, LABELS_BLOCK).flatMap(({ value }) =>
    LABELS.some((label) => label === value) ? [value] : [],
  );
  const reason = [labels.join(', '), text].filter((part) => part !== '').join(': ');
  if (reason === '') return answerWithError(call, TEXT_BLOCK, 'Choose a reason above, or write one.');
  const { decision } = post;
  const heldContext = call.context.heldPosts.context;
  await respond(call, await returnForChanges(heldContext, post.press, { decision, text: reason }), text);
}

/** Closes the form after a decision. A refused decision is explained with the current version and the typed text. */
async function respond(call: SubmissionCall, result: DecisionResult, text = ''): Promise<void> {
  const refusal = describeRefusal(result);
  const row = 'row' in result ? result.row : undefined;
  // The request shows the decision.
  if (refusal === undefined) await call.answer({ close: true });
  else await closeWith(call, row ? await renderForReviewer(call, row, refusal) : NOT_VISIBLE, text);
  if (row) await updateOthers(call, row);
}

async function closeWith(call: SubmissionCall, message: Message, text = ''): Promise<void> {
  const { blocks = [section(message.text)] } = message;
  const typed = text === '' ? [] : [section('This is what you wrote:'), plainSection(text)];
  await answerWithMessage(call, { ...message, blocks: [...blocks, ...typed] });
}

/** A pressed button of a review: the post as it is now, and the version that the person saw. */
interface PressedReview {
  row: HeldPostRow;
  press: DecisionPress;
}

/** Finds the post of a review's button in the person's workspace. Undefined if they may not see it. */
async function findPressedReview(call: Call, value: string | undefined): Promise<PressedReview | undefined> {
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
function encodeReviewTarget(call: ActionCall, decision?: ReviewTarget['decision']): string {
  return JSON.stringify({ post: call.action.value ?? '', actor: call.actor.user, decision });
}

/** Finds the post of a submitted form. Undefined if somebody else opened the form, or may not see the post any more. */
async function findReviewTarget(
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
function describeRefusal(result: DecisionResult): string | undefined {
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
async function showReview(call: ActionCall, row: HeldPostRow, note: string | undefined): Promise<void> {
  const { context } = call.context.heldPosts;
  const messages = await listHeldPostMessages(context.db, row);
  const isRequest = messages.some(({ ts, purpose }) => purpose === 'review' && ts === call.message?.ts);
  await updateOthers(call, row);
  if (!isRequest) return call.reply(await renderForReviewer(call, row, note), { replace: true });
  if (note !== undefined) await call.reply({ text: note });
}

/** Updates the requests to review a post. A failure is logged, because the notification updates them again. */
async function updateOthers(call: ActionCall | SubmissionCall, row: HeldPostRow): Promise<void> {
  try {
    await updateReviewRequests(call.context.heldPosts.context, call.client, row);
    call.context.submissions.context.onAuthorNotified(call.actor);
  } catch (error) {
    call.log.warn({ reference: call.reference, err: error }, 'could not update a review request');
  }
}

/** Renders the request for the person who acts. */
async function renderForReviewer(call: Call, row: HeldPostRow, note?: string | undefined) {
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
