import { fetchReader } from '../../forms/form-context.ts';
import type { Call } from '../../handlers/call.ts';
import { countPending, listWaiting, renderOutboxCount } from '../../handlers/list-waiting.ts';
import type { HeldPostRow } from '../../held-posts/held-post.ts';
import { listHeldPlan } from '../../held-posts/listed-posts.ts';
import { isDecidable } from '../../held-posts/review/decide.ts';
import { checkDecision } from '../../held-posts/review/evaluate-review.ts';
import { loadReview } from '../../held-posts/review/load-review.ts';
import { renderRuleForReader } from '../../held-posts/series/rule-text.ts';
import type { SeriesRow } from '../../held-posts/series/series.ts';
import { readShownSeries } from '../../held-posts/series/series-card.ts';
import { listHeldPosts } from '../../held-posts/sql/held-posts.ts';
import { describePost } from '../../posts/describe-post.ts';
import type { ListedHeldPost } from '../../posts/merge-plan.ts';
import { renderPostTime } from '../../posts/post-time.ts';
import { listStops, type StoppedProject } from '../../posts/project.ts';
import { DEFAULT_POLICY, listPolicies, type ProjectPolicy } from '../../preferences/project-policy.ts';
import { mapLimited } from '../../promises.ts';
import { isState, type SubmissionRow } from '../../submissions/submission.ts';
import { renderSubmission } from '../../submissions/text/render-submission.ts';
import { type LoadedHomePosts, loadHomePosts } from './load-home-posts.ts';

/** Maximum pending posts that Home names. */
const MAX_PENDING = 3;

/** The viewer's submissions that the service hasn't accepted yet, and held posts and series about which they are asked. */
export interface PendingSubmissions {
  /** How much the outbox lists. Undefined if nothing but drafts is in it, which wait for nobody else. */
  count: string | undefined;
  shown: readonly { label: string; title: string }[];
}

export interface HomeContent {
  now: Date;
  /** The viewer's zone. Defaults to UTC. */
  zone: string;
  /** The viewer's locale, if Slack returned it. */
  locale: string | undefined;
  pending: PendingSubmissions;
  /** The stopped projects, without those that the service doesn't have any more. */
  stopped: readonly StoppedProject[];
  reviews: WaitingReviews;
  posts: LoadedHomePosts;
  /** Whether people can open pages in the browser. */
  hasPages: boolean;
}

/** Minimal call for loading Home. A background delivery has no call, so it creates this part. */
export type HomeCall = Pick<
  Call,
  'context' | 'actor' | 'client' | 'catalogue' | 'log' | 'reference' | 'now' | 'may' | 'lacks'
>;

export async function loadHome(call: HomeCall): Promise<HomeContent> {
  const now = call.now();
  const [posts, { zone, locale }, waiting, stopped, reviews] = await Promise.all([
    loadHomePosts(call, now),
    fetchReader(call),
    listWaiting(call),
    listStops(call, 'viewer'),
    loadReviews(call),
  ]);
  const { submissions, questions, series } = waiting;
  const shownQuestions = await listInOrder(call, questions.slice(0, MAX_PENDING));
  const pending = {
    count: countPending(waiting) === 0 ? undefined : renderOutboxCount(waiting),
    shown: [
      ...(await Promise.all(
        series.slice(0, MAX_PENDING).map((row) => describePausedSeries(call, row, locale)),
      )),
      ...shownQuestions.map((listed) => describeUndecidedPost(listed, { zone, locale, now })),
      ...submissions
        .filter(({ state }) => isState(state))
        .slice(0, MAX_PENDING)
        .map((row) => readPending(call, row)),
    ].slice(0, MAX_PENDING),
  };
  const listedStops = stopped.filter(({ isGone }) => isGone !== true);
  const { hasPages } = call.context.web;
  return { now, zone, locale, pending, stopped: listedStops, reviews, posts, hasPages };
}

function describeUndecidedPost(
  { post: { scheduleDate: instant }, project, held: { facts } }: ListedHeldPost,
  { zone, locale, now }: Pick<HomeContent, 'zone' | 'locale' | 'now'>,
) {
  const time = instant ? renderPostTime({ instant, zone }, { locale }, now).plain : 'no date';
  const { label } = describePost(facts, { viewers: { zone, locale }, now });
  return { label, title: `Post for ${project.name}, ${time}` };
}

async function describePausedSeries({ context }: HomeCall, row: SeriesRow, locale: string | undefined) {
  const { content, project } = await readShownSeries(context.heldPosts, row);
  const rule = content ? `${renderRuleForReader(content.recurrence, locale)}, ` : '';
  return { label: '🔁 Series paused', title: `${rule}${project}` };
}

function readPending({ context }: HomeCall, row: SubmissionRow) {
  const { title, stateCopy } = renderSubmission(context.submissions.context, row);
  return { label: `${stateCopy.emoji} ${stateCopy.name}`, title };
}

/** Maximum number of posts with a button. The list of posts has all. */
const MAX_SHOWN_REVIEWS = 5;

interface WaitingReviews {
  count: number;
  hasMore: boolean;
  /** The first ones, by publishing time. */
  shown: readonly ListedHeldPost[];
}

/** Loads the posts that wait for the viewer's review, in all projects. */
async function loadReviews(call: HomeCall): Promise<WaitingReviews> {
  const { workspace } = call.actor;
  // The reviewers of a missed review can still approve it.
  const states = ['awaiting-review', 'needs-person'] as const;
  const rows = await listHeldPosts(call.context.db, { workspace, states });
  const { waiting, hasMore } = await findWaitingReviews(call, rows);
  return {
    count: waiting.length,
    hasMore,
    shown: await listInOrder(call, waiting.slice(0, MAX_SHOWN_REVIEWS)),
  };
}

async function listInOrder(
  { context, actor }: HomeCall,
  rows: readonly HeldPostRow[],
): Promise<ListedHeldPost[]> {
  if (rows.length === 0) return [];
  const ids = rows.map(({ id }) => id);
  const { posts } = await listHeldPlan(context.heldPosts, { workspace: actor.workspace, ids });
  return rows.flatMap(({ id }) => posts.filter(({ held }) => held.id === id));
}

/** Maximum number of posts that are checked. Home is refreshed often, so it must be fast. */
const MAX_CHECKED = 30;

/** Finds the posts that wait for the viewer's review, in the order of `rows`. */
async function findWaitingReviews(
  call: HomeCall,
  rows: readonly HeldPostRow[],
): Promise<{ waiting: readonly HeldPostRow[]; hasMore: boolean }> {
  const { workspace, user } = call.actor;
  const inReview = rows.filter((row) => isDecidable(row) && row.author !== user);
  if (inReview.length === 0) return { waiting: [], hasMore: false };
  const policies = await listPolicies(call.context.db, workspace);
  const getPolicy = ({ project }: HeldPostRow) => policies.get(project) ?? DEFAULT_POLICY;
  const candidates = inReview.filter((row) => mayReview(call, row.project, getPolicy(row)));
  const checked = await mapLimited(candidates.slice(0, MAX_CHECKED), async (row) => {
    const options = { users: [user], policy: getPolicy(row) };
    const review = await loadReview(call.context.heldPosts, row, options);
    return { row, kind: checkDecision(review, user).kind };
  });
  return {
    waiting: checked.flatMap(({ row, kind }) => (kind === 'may' ? [row] : [])),
    hasMore:
      candidates.length > MAX_CHECKED ||
      checked.some(({ row, kind }) => kind === 'unknown' && !call.lacks('viewer', row.project)),
  };
}

/** Whether the viewer may be a reviewer of a project's posts. Slack isn't asked for the members of user groups. */
function mayReview(
  { actor: { user }, lacks }: HomeCall,
  project: string,
  { reviewSteps, standIns }: ProjectPolicy,
): boolean {
  const approvers = reviewSteps.flatMap((step) => step.approvers);
  return (
    standIns.includes(user) ||
    approvers.some((approver) => {
      if (approver.kind === 'role') return !lacks(approver.role, project);
      return approver.kind === 'group' || approver.id === user;
    })
  );
}
