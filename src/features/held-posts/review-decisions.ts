import type { ModalView } from '@slack/types';
import type { ActionCall, Call, SubmissionCall } from '../../handlers/call.ts';
import type { Feature } from '../../handlers/feature.ts';
import type { ChangeResult } from '../../held-posts/change.ts';
import { type DecisionKind, listApprovals } from '../../held-posts/event-kinds.ts';
import type { HeldPostRow } from '../../held-posts/held-post.ts';
import {
  approveForNewTime,
  approveHeldPost,
  isDecidable,
  isSeen,
  returnForChanges,
  waitsForReviewOf,
} from '../../held-posts/review/decide.ts';
import { OPENED_REVIEW, REVIEW_REQUEST } from '../../held-posts/review/review-request.ts';
import { listEvents } from '../../held-posts/sql/events.ts';
import { buildReviewValue, REVIEW_ACTIONS } from '../../held-posts/text/held-post-buttons.ts';
import { actions, button, context, option, plain } from '../../slack/blocks.ts';
import { getChosenOptions, getTextInput } from '../../slack/interaction-values.ts';
import { addBlocks, BUTTON_UNAVAILABLE, type Message } from '../../slack/message.ts';
import { buildMessageView, buildSubmitModal, buildTextInput } from '../../slack/message-view.ts';
import { APPROVE_LATER_VIEW, describeMove, openTimeForm, WHEN_BLOCK } from './move.ts';
import {
  answerWithError,
  answerWithMessage,
  describeResult,
  encodeFormTarget,
  onForm,
  onPost,
  type PressedPost,
  renderForActor,
  showResult,
  type TargetedPost,
  TEXT_BLOCK,
  updateMessages,
} from './press.ts';
import { changeToTyped, readTypedTime } from './typed-time.ts';

const REASON_VIEW = 'review.reason';

/** Viewers may try, because the policy of the post's project says who may review it. */
const role = 'viewer';

/** The handlers of the buttons of a review. Each press is checked again: the role, the version, and "not your own". */
export const reviewActions: NonNullable<Feature['actions']> = {
  [REVIEW_ACTIONS.approve]: { deed: 'approve a post', role, run: onPost(approve) },
  [REVIEW_ACTIONS['approve-later']]: {
    deed: 'open the form that approves a post for a new time',
    role,
    run: onPost(askForTime),
  },
  [REVIEW_ACTIONS['request-changes']]: {
    deed: 'open the form that returns a post',
    role,
    run: onPost((call, post) => askForReason(call, post, 'changes-requested')),
  },
  [REVIEW_ACTIONS.reject]: {
    deed: 'open the form that returns a post',
    role,
    run: onPost((call, post) => askForReason(call, post, 'rejected')),
  },
  [REVIEW_ACTIONS.open]: { deed: 'open a post for review', role, run: onPost(openReview) },
};

export const reviewViews: NonNullable<Feature['views']> = {
  [REASON_VIEW]: { deed: 'return a post to its author', role, run: onForm(saveReason) },
  [APPROVE_LATER_VIEW]: { deed: 'approve a post for a new time', role, run: onForm(approveLater) },
};

async function approve(call: ActionCall, post: PressedPost): Promise<void> {
  const result = await approveHeldPost(call.context.heldPosts, post.press);
  await showResult(call, post, result, undefined, REVIEW_REQUEST);
}

/** Renders a post that somebody opens from a list. If it waits for their review, a button opens that. */
export async function renderOpened(call: Call, row: HeldPostRow): Promise<Message> {
  const card = await renderForActor(call, row);
  if (!(await waitsForReviewOf(call.context.heldPosts, row, call.actor.user))) return card;
  return addBlocks(card, actions(button('Review', REVIEW_ACTIONS.open, buildReviewValue(row), 'primary')));
}

async function openReview(call: ActionCall, { row }: PressedPost): Promise<void> {
  const card = await renderForActor(call, row, undefined, OPENED_REVIEW);
  await call.openView(buildMessageView(call.sealButtons(card), 'Close'));
}

/** Finds out before a form is opened whether its decision certainly has no effect. */
function findObstacle({ row, press }: PressedPost): ChangeResult | undefined {
  if (!isDecidable(row)) return { kind: 'too-late', row };
  if (row.author === press.actor) return { kind: 'own', row };
  const isCurrent = row.version === press.version && isSeen(row, press);
  return isCurrent ? undefined : { kind: 'outdated', row };
}

async function askForTime(call: ActionCall, post: PressedPost): Promise<void> {
  const obstacle = findObstacle(post);
  if (obstacle) return showResult(call, post, obstacle, undefined, REVIEW_REQUEST);
  await openTimeForm(call, post, 'approve');
}

/** Approves the post for the typed time. Whatever is wrong is said under the field, and the typed text stays. */
async function approveLater(call: SubmissionCall, post: TargetedPost): Promise<void> {
  const time = await readTypedTime(call, post.row, getTextInput(call.view.values, WHEN_BLOCK));
  if (typeof time === 'string') return answerWithError(call, WHEN_BLOCK, time);
  const result = await changeToTyped(call, post.row, time, (newTime) =>
    approveForNewTime(call.context.heldPosts, post.press, newTime),
  );
  if (typeof result === 'string') return answerWithError(call, WHEN_BLOCK, result);
  if (result.kind !== 'changed') return respond(call, post, result);
  const { row } = result;
  const approvals = listApprovals(await listEvents(call.context.db, row), row);
  const isApproved = approvals.some(({ actor }) => actor === post.press.actor);
  // Somebody who may approve only a later step has moved the post.
  const note = isApproved
    ? await describeMove(call, row, { verb: 'Approved', namesTime: true })
    : `${await describeMove(call, row, { verb: 'Moved', namesTime: false })} Its review starts again.`;
  await answerWithMessage(call, await renderForActor(call, row, note, REVIEW_REQUEST));
}

/** The reasons that a reviewer can choose. Our own list, in the order of how often copy is returned for them. */
const LABELS = ['Wording or tone', 'Facts', 'Time or platforms', 'Image or link', 'Legal or brand'] as const;
const LABELS_BLOCK = 'labels';
/** A longer reason wouldn't fit the messages that show it. */
const MAX_REASON_LENGTH = 1_500;

type ReturnDecision = Exclude<DecisionKind, 'approved'>;

async function askForReason(call: ActionCall, post: PressedPost, decision: ReturnDecision): Promise<void> {
  const obstacle = findObstacle(post);
  if (obstacle) return showResult(call, post, obstacle, undefined, REVIEW_REQUEST);
  const metadata = encodeFormTarget(call, post.row, { decision });
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

async function saveReason(call: SubmissionCall, post: TargetedPost): Promise<void> {
  const { decision } = post;
  const text = getTextInput(call.view.values, TEXT_BLOCK).trim().slice(0, MAX_REASON_LENGTH);
  if (!decision) return answerWithMessage(call, BUTTON_UNAVAILABLE, text);
  const labels = getChosenOptions(call.view.values, LABELS_BLOCK).flatMap(({ value }) =>
    LABELS.some((label) => label === value) ? [value] : [],
  );
  const reason = [labels.join(', '), text].filter((part) => part !== '').join(': ');
  if (reason === '') return answerWithError(call, TEXT_BLOCK, 'Choose a reason above, or write one.');
  const result = await returnForChanges(call.context.heldPosts, post.press, { decision, text: reason });
  await respond(call, post, result, text);
}

/** Closes the form after a decision. A refused decision is explained with the current version and the typed text. */
async function respond(
  call: SubmissionCall,
  post: TargetedPost,
  result: ChangeResult,
  text = '',
): Promise<void> {
  // The request shows the decision, when its notification updates it.
  if (result.kind === 'changed') return void (await call.answer({ close: true }));
  const { row, note } = await describeResult(call, post, result);
  await answerWithMessage(call, await renderForActor(call, row, note, REVIEW_REQUEST), text);
  // The request may show an earlier version, if Slack has lost its update.
  await updateMessages(call, row, REVIEW_REQUEST);
}
