import type { Kysely } from 'kysely';
import { findSendingStop } from '../../engine/sending-stop.ts';
import { findPolicy, reviewsSeriesOnce } from '../../preferences/project-policy.ts';
import { type ChangeResult, changeHeldPost, type Press } from '../change.ts';
import type { HeldPostRow, HeldPostTables } from '../held-post.ts';
import { createContentColumns, type HeldPostContext, readHeldContent } from '../held-post-context.ts';
import { makeSeriesDue } from '../series/change-series.ts';
import { listEvents } from '../sql/events.ts';
import { findHeldPost } from '../sql/held-posts.ts';
import { checkDecision, type DecisionCheck, evaluateReview, isNobodyLeft } from './evaluate-review.ts';
import { isPolicyUnchanged, type LoadedReview, loadReview } from './load-review.ts';

/** A press of a reviewer. Every decision is bound to the version and the content that the person saw. */
export interface DecisionPress extends Press {
  version: number;
  /** The beginning of the content's hash. */
  hash: string;
}

type Refusal = Extract<DecisionCheck, { kind: 'may-not' }>['reason'] | 'overdue' | 'stopped';

/** The result of a decision. Nothing but `changed` has changed anything. */
export type DecisionResult =
  | ChangeResult
  | { kind: 'may-not'; reason: Refusal; row: HeldPostRow }
  /** It couldn't be found out whether the person may decide. */
  | { kind: 'not-checked'; row: HeldPostRow };

/** Whether reviewers may decide on a post: they have been asked, or their time for it has passed. */
export function isInReview({ state, reason }: Pick<HeldPostRow, 'state' | 'reason'>): boolean {
  return state === 'awaiting-review' || (state === 'needs-person' && reason === 'not-approved');
}

/** Whether an edit asks the reviewers of a post again. A draft is sent to them with a press of its own. */
export function isReviewedAgain({
  in_review: inReview,
  state,
}: Pick<HeldPostRow, 'in_review' | 'state'>): boolean {
  return inReview && state !== 'draft';
}

/**
 * Approves a post's current version. With the last approval the post is held, and goes over at once if it is within the
 * lead.
 */
export async function approveHeldPost(
  context: HeldPostContext,
  press: DecisionPress,
): Promise<DecisionResult> {
  return approveOthers(context, await approvePost(context, press));
}

/** The approval may count for other posts of the series. */
async function approveOthers(context: HeldPostContext, result: DecisionResult): Promise<DecisionResult> {
  const row = result.kind === 'changed' ? result.row : undefined;
  if (row?.series && reviewsSeriesOnce(await findPolicy(context.db, row)))
    await makeSeriesDue(context, { id: row.series });
  return result;
}

/** Approves a post, and no other of its series. `step`: the only step that may be approved. Defaults to the pending one. */
export function approvePost(
  context: HeldPostContext,
  press: DecisionPress,
  { step: onlyStep }: { step?: number } = {},
): Promise<DecisionResult> {
  return decide(context, press, { isApproval: true, onlyStep }, (review, step) => ({
    columns: {},
    event: 'approved',
    step,
    ...applyApproval(review, press.actor, step),
  }));
}

/**
 * Approves a post whose time for the review has passed, for a new time. The new time voids earlier approvals, so with
 * several steps the review starts again. `slotPlatforms`: those on which the post has taken the time as its slot.
 */
export async function approveForNewTime(
  context: HeldPostContext,
  press: DecisionPress,
  { slotPlatforms, ...time }: { instant: Date; zone?: string; slotPlatforms?: readonly string[] },
): Promise<DecisionResult> {
  const result = await decide(context, press, { isApproval: true, newTime: time.instant }, async (review) => {
    const { post, policy } = review;
    const held = readHeldContent(context, post);
    if (!held) throw new Error('the content of a reviewed post is unreadable');
    const content = context.kind.holding.moveTo(held.content, time);
    const columns = {
      ...(await createContentColumns(context, post.workspace, content, policy)),
      version: post.version + 1,
    };
    const moved = { ...review, post: { ...post, ...columns } };
    const check = checkDecision(moved, press.actor);
    // The person who may approve only a later step has moved the post, and all steps are asked again.
    if (check.kind !== 'may')
      return { to: 'awaiting-review', event: 'sent-for-review', columns, slotPlatforms };
    const { step } = check;
    return { event: 'approved', step, columns, slotPlatforms, ...applyApproval(moved, press.actor, step) };
  });
  return approveOthers(context, result);
}

/** Returns a post to its author: as a draft, with all its content, and the reviewer's reason. */
export function returnForChanges(
  context: HeldPostContext,
  press: DecisionPress,
  { decision, text }: { decision: 'changes-requested' | 'rejected'; text: string },
): Promise<DecisionResult> {
  return decide(context, press, { isApproval: false }, (_review, step) => ({
    to: 'draft',
    reason: decision,
    columns: { approver: null },
    event: decision,
    text,
    step,
  }));
}

type PostChange = Awaited<ReturnType<Parameters<typeof changeHeldPost>[2]>>;

/** The state after an approval: held if no other is missing. */
function applyApproval(review: LoadedReview, actor: string, step: number) {
  const { version, content_hash } = review.post;
  const approval = { kind: 'approved', actor, version, content_hash, step, content: null } as const;
  const result = evaluateReview({ ...review, events: [...review.events, approval] });
  return result.kind === 'approved'
    ? ({ to: 'held', approver: actor, followedBy: 'scheduled' } as const)
    : ({ to: 'awaiting-review' } as const);
}

/** Thrown inside the transaction, which is then rolled back. */
class Refused extends Error {
  readonly result: DecisionResult | 'policy-changed';
  constructor(result: DecisionResult | 'policy-changed') {
    super('a decision was refused');
    this.result = result;
  }
}

/** The policy may change between the check and the decision. */
const MAX_TRIES = 3;

/** Checks whether the person may decide, and applies the decision if nothing has changed meanwhile. */
async function decide(
  context: HeldPostContext,
  press: DecisionPress,
  { isApproval, newTime, onlyStep }: { isApproval: boolean; newTime?: Date; onlyStep?: number | undefined },
  createChange: (review: LoadedReview, step: number) => Decision | Promise<Decision>,
): Promise<DecisionResult> {
  for (let tries = 1; ; tries += 1) {
    const row = await findHeldPost(context.db, press);
    if (!row) return { kind: 'not-found' };
    if (!isInReview(row)) return { kind: 'too-late', row };
    if (row.version !== press.version || !row.content_hash.startsWith(press.hash))
      return { kind: 'outdated', row };
    const publishAt = newTime ?? row.publish_at;
    if (isApproval && publishAt !== null && publishAt <= context.clock.now())
      return { kind: 'may-not', reason: 'overdue', row };
    if (isApproval && (await findSendingStop(context.db, row)))
      return { kind: 'may-not', reason: 'stopped', row };
    const loaded = await loadReview(context, row, { users: [press.actor] });
    try {
      return await changeHeldPost(
        context,
        press,
        async (current) => {
          const review = await reloadReview(context.db, loaded, current);
          const check = checkDecision(review, press.actor);
          if (check.kind === 'unknown') throw new Refused({ kind: 'not-checked', row: current });
          if (check.kind === 'may-not') throw new Refused({ ...check, row: current });
          if (onlyStep !== undefined && check.step !== onlyStep)
            throw new Refused({ kind: 'may-not', reason: 'not-asked', row: current });
          return toChange(await createChange(review, check.step));
        },
        ['awaiting-review', 'needs-person'],
      );
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      if (error.result !== 'policy-changed') return error.result;
      if (tries >= MAX_TRIES) return { kind: 'not-checked', row };
    }
  }
}

/** Reads the review again, without a request to Slack. */
async function reloadReview(
  db: Kysely<HeldPostTables>,
  loaded: LoadedReview,
  post: HeldPostRow,
): Promise<LoadedReview> {
  if (!isInReview(post)) throw new Refused({ kind: 'too-late', row: post });
  if (!(await isPolicyUnchanged(db, loaded))) throw new Refused('policy-changed');
  return { ...loaded, post, events: await listEvents(db, post) };
}

type Decision = PostChange & { approver?: string };

function toChange({ approver, ...change }: Decision): PostChange {
  return approver === undefined ? change : { ...change, columns: { ...change.columns, approver } };
}

/**
 * `no-review`: the project has no reviews. `nobody`: everybody who could approve the post has written or edited it.
 * `no-time`, `overdue`: the post has no time to come.
 */
type SendRefusal = 'no-review' | 'nobody' | 'no-time' | 'overdue';

/** The result of [Send for review]. Nothing but `changed` has changed anything. */
type SendResult = ChangeResult | { kind: 'may-not'; reason: SendRefusal; row: HeldPostRow };

/** Sends a draft or a held post to its project's reviewers. A draft then counts as scheduled, if they approve it. */
export async function sendForReview(context: HeldPostContext, press: Press): Promise<SendResult> {
  const row = await findHeldPost(context.db, press);
  if (!row) return { kind: 'not-found' };
  const policy = await findPolicy(context.db, row);
  const held = readHeldContent(context, row);
  if (!held) return { kind: 'too-late', row };
  const refuse = (reason: SendRefusal) => ({ kind: 'may-not', reason, row }) as const;
  if (policy.review === 'off' || policy.reviewSteps.length === 0) return refuse('no-review');
  if (!row.publish_at) return refuse('no-time');
  if (row.publish_at <= context.clock.now()) return refuse('overdue');
  if (isNobodyLeft(await loadReview(context, row, { listsEverybody: true }))) return refuse('nobody');
  const { holding } = context.kind;
  return changeHeldPost(
    context,
    { ...press, version: press.version ?? row.version },
    async () => ({
      to: 'awaiting-review',
      event: 'sent-for-review',
      columns: {
        in_review: true,
        approver: null,
        ...(holding.isDraft(held.content) && {
          ...(await createContentColumns(
            context,
            row.workspace,
            holding.setDraft(held.content, false),
            policy,
          )),
          version: row.version + 1,
        }),
      },
    }),
    ['draft', 'held', 'needs-person'],
  );
}
