import type { WebClient } from '@slack/web-api';
import { listPostDifferences, type PostDifference } from '../../posts/post-changes.ts';
import { fetchDisplayName } from '../../slack/fetch-people.ts';
import { getEventFacts, isDecision } from '../event-kinds.ts';
import { type HeldPostContext, readEventText, readHeldPost } from '../held-post-context.ts';
import { type PostView, readShownPost } from '../show.ts';
import { findBlackoutFact } from '../slots/slot-text.ts';
import type { HeldPostEventRow } from '../sql/events.ts';
import { isDecidable } from './decide.ts';
import { evaluateReview, findPermission, isNobodyLeft } from './evaluate-review.ts';
import { type LoadedReview, loadReview, needsApproval } from './load-review.ts';
import { renderReviewRequest, type ShownDecision, type ShownReview } from './review-text.ts';

function createView({ hasWholeText }: { hasWholeText: boolean }): PostView {
  return {
    purposes: ['review'],
    async render({ context, client, row }, viewers, note) {
      const review = await loadReview(context, row, { listsEverybody: true });
      const shown = await readShownReview(context, client, review);
      return renderReviewRequest(shown, { viewers, now: context.clock.now(), hasWholeText }, note);
    },
  };
}

/** The requests to review a post, which show more than its card. */
export const REVIEW_REQUEST = createView({ hasWholeText: false });
/** A request that is opened to read the whole text. */
export const OPENED_REVIEW = createView({ hasWholeText: true });

export async function readShownReview(
  context: HeldPostContext,
  client: WebClient,
  review: LoadedReview,
): Promise<ShownReview> {
  const { post: row, policy } = review;
  const { post, project, facts } = await readShownPost(context, row, review);
  const author = await fetchDisplayName({ client, log: context.log, reference: row.id }, row.author);
  const result = evaluateReview(review);
  const step = result.kind === 'approved' ? 0 : result.step;
  const { steps, standIns } = review.eligibility;
  const hasFailed = [steps[step], standIns].some((people) => people?.hasFailed);
  const time =
    row.publish_at && post?.timezone ? { instant: row.publish_at, zone: post.timezone } : undefined;
  return {
    ...{ row, post, project, facts, result },
    unasked: isNobodyLeft(review) ? 'nobody' : hasFailed ? 'not-checked' : 'everybody',
    needsApproval: needsApproval(row, policy),
    blackoutFact: time && findBlackoutFact(policy, time, context.clock.now()),
    stepCount: policy.reviewSteps.length,
    needs: policy.reviewSteps[step]?.needs ?? 'any',
    decisions: listDecisions(context, review),
    differences: findDifferences(context, review),
    author,
  };
}

/** The decisions about the current version. */
function listDecisions(
  context: HeldPostContext,
  { post, events, eligibility }: LoadedReview,
): ShownDecision[] {
  // The policy may have changed its steps since, so that another step is theirs now.
  const approvers = [...eligibility.steps, eligibility.standIns];
  return events
    .filter(({ version }) => version === post.version)
    .flatMap((event) => {
      const { kind, actor, step } = event;
      if (!isDecision(kind)) return [];
      const isApproval = kind === 'approved';
      const isVoid = isApproval && isDecidable(post) && findPermission(approvers, actor) === 'no';
      const text = isApproval ? undefined : readEventText(context, event);
      return [{ kind, actor, step: step ?? 0, text, isVoid }];
    });
}

/** Finds what changed since the version that was last decided on, or else since the one before. */
function findDifferences(context: HeldPostContext, { post, events }: LoadedReview): PostDifference[] {
  const isEarlier = ({ version }: HeldPostEventRow) => version < post.version;
  const decided = events.findLast((event) => isEarlier(event) && isDecision(event.kind))?.version;
  const before = readVersion(context, events, decided ?? post.version - 1);
  const after = readHeldPost(context, post);
  if (!before || !after) return [];
  const differences = listPostDifferences(before, after, {
    viewers: 'everyone',
    now: context.clock.now(),
  });
  // Sending a draft for review makes it a scheduled post, which the request says anyway.
  return differences.filter(({ field }) => field !== 'Status');
}

/** Reads an earlier version of a post. Undefined if it isn't stored any more. */
export function readVersion(context: HeldPostContext, events: readonly HeldPostEventRow[], wanted: number) {
  const event = events.find(
    ({ kind, version, content }) =>
      getEventFacts(kind).storesVersion && version === wanted && content !== null,
  );
  return event && readHeldPost(context, event);
}
