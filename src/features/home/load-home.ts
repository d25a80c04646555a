import { mapLimited } from '../../api/map-limited.ts';
import { fetchReader } from '../../forms/form-context.ts';
import type { Call } from '../../handlers/call.ts';
import { type HeldPostRow, isAsked } from '../../held-posts/held-post.ts';
import type { HeldPostContext } from '../../held-posts/held-post-context.ts';
import type { ListedHeldPost } from '../../held-posts/listed-posts.ts';
import { isInReview } from '../../held-posts/review/decide.ts';
import { checkDecision } from '../../held-posts/review/evaluate-review.ts';
import { loadReview } from '../../held-posts/review/load-review.ts';
import { listUndecidedSeries } from '../../held-posts/series/change-series.ts';
import { renderRuleForReader } from '../../held-posts/series/rule-text.ts';
import type { SeriesRow } from '../../held-posts/series/series.ts';
import { readShownSeries } from '../../held-posts/series/series-card.ts';
import { readShownPost } from '../../held-posts/show.ts';
import { listHeldPosts } from '../../held-posts/sql/held-posts.ts';
import { buildReviewValue } from '../../held-posts/text/held-post-buttons.ts';
import { describePost, type PostFacts } from '../../posts/describe-post.ts';
import type { CardPost } from '../../posts/post-text.ts';
import { renderPostTime } from '../../posts/post-time.ts';
import { listStops, type StoppedProject } from '../../posts/stopped-projects.ts';
import type { Actor } from '../../slack/actor.ts';
import { listOutbox, MAX_OUTBOX_SUBMISSIONS } from '../../submissions/sql/lists.ts';
import { isState, type SubmissionRow } from '../../submissions/submission.ts';
import { renderSubmission } from '../../submissions/text/render-submission.ts';
import { type LoadedHomePosts, loadHomePosts } from './load-home-posts.ts';

/** Maximum pending posts that Home names. */
const MAX_PENDING = 3;

/** The viewer's submissions that the service hasn't accepted yet, and held posts and series about which they are asked. */
export interface PendingSubmissions {
  count: number;
  /** Whether there are more than `count`. */
  hasMore: boolean;
  /** The newest ones. */
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
}

/** Minimal call for loading Home. A background delivery has no call, so it creates this part. */
export type HomeCall = Pick<
  Call,
  'context' | 'actor' | 'client' | 'catalogue' | 'log' | 'reference' | 'now' | 'may' | 'lacks'
>;

export async function loadHome(call: HomeCall): Promise<HomeContent> {
  const { context, actor } = call;
  const now = call.now();
  const [posts, { zone, locale }, outbox, series, stopped, reviews] = await Promise.all([
    loadHomePosts(call, now),
    fetchReader(call),
    listOutbox(context.db, { workspace: actor.workspace, author: actor.user }),
    listUndecidedSeries(context.db, call),
    listStops(call, 'viewer'),
    loadWaitingReviews(call),
  ]);
  const undecidedPosts = typeof posts === 'object' && 'undecided' in posts ? posts.undecided : [];
  const questions = undecidedPosts.filter(({ author, project, held }) =>
    isAsked(call, { author, project: project.id, reason: held.facts.held?.reason ?? null }),
  );
  const pending = {
    count: Math.min(outbox.length, MAX_OUTBOX_SUBMISSIONS) + questions.length + series.length,
    hasMore: outbox.length > MAX_OUTBOX_SUBMISSIONS,
    shown: [
      ...(await Promise.all(
        series.slice(0, MAX_PENDING).map((row) => describePausedSeries(call, row, locale)),
      )),
      ...questions.slice(0, MAX_PENDING).map((post) => describeUndecidedPost(post, { zone, locale, now })),
      ...outbox
        .filter(({ state }) => isState(state))
        .slice(0, MAX_PENDING)
        .map((row) => readPending(call, row)),
    ].slice(0, MAX_PENDING),
  };
  const listedStops = stopped.filter(({ isGone }) => isGone !== true);
  return { now, zone, locale, pending, stopped: listedStops, reviews, posts };
}

function describeUndecidedPost(
  { post, project, held }: ListedHeldPost,
  { zone, locale, now }: Pick<HomeContent, 'zone' | 'locale' | 'now'>,
) {
  const time = post.scheduleDate
    ? renderPostTime({ instant: post.scheduleDate, zone }, { locale }, now).plain
    : 'no date';
  const { label } = describePost(held.facts, { viewers: { zone, locale }, now });
  return { label, title: `Post for ${project.name}, ${time}` };
}

async function describePausedSeries({ context }: HomeCall, row: SeriesRow, locale: string | undefined) {
  const { content, project } = await readShownSeries(context.heldPosts.context, row);
  const rule = content ? `${renderRuleForReader(content.recurrence, locale)}, ` : '';
  return { label: '🔁 Series paused', title: `${rule}${project}` };
}

function readPending({ context, now }: HomeCall, row: SubmissionRow) {
  const { title, stateCopy } = renderSubmission(context.submissions.context, row, {
    now: now(),
  });
  return { label: `${stateCopy.emoji} ${stateCopy.name}`, title };
}

/** Maximum number of posts with a button. The list of posts has all. */
const MAX_SHOWN_REVIEWS = 5;

interface WaitingReviews {
  count: number;
  /** The first ones, by publishing time. */
  shown: readonly { value: string; post: CardPost; facts: PostFacts; project: string; author: string }[];
}

async function loadWaitingReviews(call: Pick<Call, 'context' | 'actor'>): Promise<WaitingReviews> {
  const { context, actor } = call;
  const { context: heldContext } = context.heldPosts;
  const rows = await listWaitingReviews(heldContext, actor);
  const shown = await Promise.all(
    rows.slice(0, MAX_SHOWN_REVIEWS).map(async (row) => {
      const { post = { platforms: [] }, project, facts } = await readShownPost(heldContext, row);
      return { value: buildReviewValue(row), post, facts, project, author: row.author };
    }),
  );
  return { count: rows.length, shown };
}

/** Maximum number of posts that are checked, and at the same time. Home is refreshed often, so it must be fast. */
const [MAX_CHECKED, MAX_CONCURRENT] = [30, 4];

/** Lists the posts that wait for a person's review, by publishing time. */
async function listWaitingReviews(
  context: HeldPostContext,
  { workspace, user }: Actor,
): Promise<HeldPostRow[]> {
  const rows = await listHeldPosts(context.db, { workspace, states: ['awaiting-review', 'needs-person'] });
  const candidates = rows.filter((row) => isInReview(row) && row.author !== user).slice(0, MAX_CHECKED);
  const waiting = await mapLimited(candidates, MAX_CONCURRENT, async (row) => {
    const review = await loadReview(context, row, { users: [user] });
    return checkDecision(review, user).kind === 'may' ? [row] : [];
  });
  return waiting.flat();
}
