import { findSendingStop } from '../../engine/sending-stop.ts';
import { findPolicy, reviewsSeriesOnce } from '../../preferences/project-policy.ts';
import { within } from '../../promises.ts';
import {
  type ChangeResult,
  changeHeldPost,
  moveContent,
  type NewTime,
  type PostChange,
  type Press,
  type VersionedPress,
} from '../change.ts';
import type { DecisionKind } from '../event-kinds.ts';
import type { HeldPostRow } from '../held-post.ts';
import { createContentColumns, type HeldPostContext, readHeldContent } from '../held-post-context.ts';
import { getRefusalTexts, type Refusal } from '../refusals.ts';
import { makeSeriesDue } from '../series/change-series.ts';
import { giveSlot } from '../slots/service-slots.ts';
import {
  checkDecision,
  evaluateReview,
  isNobodyLeft,
  isSomebodyOfEarlierStepEligible,
} from './evaluate-review.ts';
import { type LoadedReview, loadCurrentReview, loadReview } from './load-review.ts';

/** A press with what the person saw: every decision of a reviewer is bound to that version and that content. */
export interface SeenPress extends VersionedPress {
  /** The beginning of the content's hash. '' for buttons that aren't a reviewer's. */
  hash: string;
}

/** Whether reviewers may decide on a post: they have been asked, or their time for it has passed. */
export function isDecidable({ state, reason }: Pick<HeldPostRow, 'state' | 'reason'>): boolean {
  return state === 'awaiting-review' || (state === 'needs-person' && reason === 'not-approved');
}

/** Whether a post waits for the review of a person. False if that takes longer than an answer can wait. */
export async function waitsForReviewOf(context: HeldPostContext, row: HeldPostRow, user: string) {
  if (!isDecidable(row) || row.author === user) return false;
  const review = await within(getWaitMs(context), loadReview(context, row, { users: [user] }));
  return review !== undefined && checkDecision(review, user).kind === 'may';
}

/** Slack is asked about each reviewer, and what it says is only added to an answer. */
const getWaitMs = ({ submissions }: HeldPostContext) => submissions.context.pace.formReadMs;

/** Whether a post still has the content that the person saw. */
export function isSeen(
  { content_hash: hash }: Pick<HeldPostRow, 'content_hash'>,
  press: Pick<SeenPress, 'hash'>,
): boolean {
  return press.hash !== '' && hash.startsWith(press.hash);
}

/** Whether an edit asks the reviewers of a post again. A draft is sent to them with a press of its own. */
export const isReviewedAgain = (row: Pick<HeldPostRow, 'in_review' | 'state'>) =>
  row.in_review && row.state !== 'draft';

/** Says why nobody is asked to review a post that waits for it, if certainly nobody may approve it (mrkdwn). */
export async function explainUnasked(context: HeldPostContext, row: HeldPostRow): Promise<string[]> {
  if (row.state !== 'awaiting-review') return [];
  const review = await within(getWaitMs(context), loadReview(context, row, { listsEverybody: true }));
  if (!review || !isNobodyLeft(review)) return [];
  return [getRefusalTexts(explainNobodyLeft(review)).note];
}

/** Says why certainly nobody may approve a post. */
function explainNobodyLeft(review: LoadedReview) {
  if (review.policy.reviewSteps.length === 0) return 'no-review';
  return isSomebodyOfEarlierStepEligible(review) ? 'nobody-else' : 'nobody';
}

/** Approves a post's current version. With the last approval it is held, or goes over at once within the lead. */
export async function approveHeldPost(context: HeldPostContext, press: SeenPress): Promise<ChangeResult> {
  return approveOthers(context, await approvePost(context, press));
}

/** The approval may count for other posts of the series. */
async function approveOthers(context: HeldPostContext, result: ChangeResult): Promise<ChangeResult> {
  const row = result.kind === 'changed' ? result.row : undefined;
  if (row?.series && reviewsSeriesOnce(await findPolicy(context.db, row)))
    await makeSeriesDue(context, { id: row.series });
  return result;
}

/** Approves a post, and no other of its series. `step`: the only step that may be approved. Defaults to the pending one. */
export function approvePost(
  context: HeldPostContext,
  press: SeenPress,
  { step: onlyStep }: { step?: number } = {},
): Promise<ChangeResult> {
  return decide(context, press, { isApproval: true, onlyStep }, (review, step) =>
    buildApproval(review, press.actor, step),
  );
}

/**
 * Approves a post whose time for the review has passed, for a new time. The new time voids earlier approvals, so with
 * several steps the review starts again. Throws `NoFreeSlot` if the post is to take a slot, and there is none.
 */
export async function approveForNewTime(
  context: HeldPostContext,
  press: SeenPress,
  time: NewTime,
): Promise<ChangeResult> {
  const newTime = 'slotFrom' in time ? time.slotFrom : time.instant;
  const result = await decide(context, press, { isApproval: true, newTime }, async (review) => {
    const { post, policy } = review;
    const held = readHeldContent(context, post);
    if (!held) throw new Error('the content of a reviewed post is unreadable');
    const wanted = moveContent(context, held.content, time);
    const { content, slot } = await giveSlot(context, { ...post, present: post.publish_at }, wanted);
    const takesSlot = slot !== undefined;
    const columns = {
      ...(await createContentColumns(context, post.workspace, content, policy)),
      version: post.version + 1,
    };
    const moved = { ...review, post: { ...post, ...columns } };
    const check = checkDecision(moved, press.actor);
    // The person who may approve only a later step has moved the post, and all steps are asked again.
    if (check.kind !== 'may') return { to: 'awaiting-review', event: 'sent-for-review', columns, takesSlot };
    const approval = buildApproval(moved, press.actor, check.step);
    return { ...approval, columns: { ...columns, ...approval.columns }, takesSlot };
  });
  return approveOthers(context, result);
}

/** Returns a post to its author: as a draft, with all its content, and the reviewer's reason. */
export function returnForChanges(
  context: HeldPostContext,
  press: SeenPress,
  { decision, text }: { decision: Exclude<DecisionKind, 'approved'>; text: string },
): Promise<ChangeResult> {
  return decide(context, press, { isApproval: false }, (_review, step) => ({
    to: 'draft',
    reason: decision,
    columns: { approver: null },
    event: decision,
    text,
    step,
  }));
}

/** An approval by a person. The post is held if no other is missing. */
function buildApproval(review: LoadedReview, actor: string, step: number): PostChange {
  const { version, content_hash } = review.post;
  const approval = { kind: 'approved', actor, version, content_hash, step, content: null } as const;
  const result = evaluateReview({ ...review, events: [...review.events, approval] });
  return result.kind === 'approved'
    ? { to: 'held', event: 'approved', step, columns: { approver: actor }, followedBy: 'scheduled' }
    : { to: 'awaiting-review', event: 'approved', step };
}

/** Checks whether the person may decide, and applies the decision if nothing has changed meanwhile. */
function decide(
  context: HeldPostContext,
  press: SeenPress,
  { isApproval, newTime, onlyStep }: { isApproval: boolean; newTime?: Date; onlyStep?: number | undefined },
  createChange: (review: LoadedReview, step: number) => PostChange | Promise<PostChange>,
): Promise<ChangeResult> {
  return changeHeldPost(
    context,
    press,
    async (row) => {
      const refuse = (kind: Exclude<Refusal, 'not-found'>) => ({ kind, row });
      if (!isDecidable(row)) return refuse('too-late');
      if (!isSeen(row, press)) return refuse('outdated');
      const publishAt = newTime ?? row.publish_at;
      if (isApproval && publishAt !== null && publishAt <= context.clock.now()) return refuse('overdue');
      if (isApproval && (await findSendingStop(context.db, row))) return refuse('stopped');
      const review = await loadCurrentReview(context, row, press.actor);
      const check = review ? checkDecision(review, press.actor) : ({ kind: 'unknown' } as const);
      if (!review || check.kind === 'unknown') return refuse('not-checked');
      if (check.kind === 'may-not') return refuse(check.reason);
      if (onlyStep !== undefined && check.step !== onlyStep) return refuse('not-asked');
      return createChange(review, check.step);
    },
    ['awaiting-review', 'needs-person'],
  );
}

/** Sends a draft or a held post to its project's reviewers. A draft then counts as scheduled, if they approve it. */
export function sendForReview(context: HeldPostContext, press: Press): Promise<ChangeResult> {
  return changeHeldPost(
    context,
    press,
    async (row) => {
      const refuse = (kind: Exclude<Refusal, 'not-found'>) => ({ kind, row });
      const policy = await findPolicy(context.db, row);
      const held = readHeldContent(context, row);
      if (!held) return refuse('too-late');
      if (policy.review === 'off' || policy.reviewSteps.length === 0) return refuse('no-review');
      if (!row.publish_at) return refuse('no-time');
      if (row.publish_at <= context.clock.now()) return refuse('overdue');
      const review = await loadReview(context, row, { policy, listsEverybody: true });
      if (isNobodyLeft(review)) return refuse(explainNobodyLeft(review));
      const { post } = context.kind;
      const scheduled = post.isDraft(held.content) && {
        ...(await createContentColumns(context, row.workspace, post.setDraft(held.content, false), policy)),
        version: row.version + 1,
      };
      const columns = { in_review: true, approver: null, ...scheduled };
      return { to: 'awaiting-review', event: 'sent-for-review', columns };
    },
    ['draft', 'held', 'needs-person'],
  );
}
