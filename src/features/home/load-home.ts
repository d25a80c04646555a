import type { Call } from '../../app/call.ts';
import { fetchReader } from '../../forms/form-context.ts';
import type { ListedHeldPost } from '../../held-posts/listed-posts.ts';
import { renderMoment } from '../../posts/post-time.ts';
import { listOutbox, MAX_OUTBOX_SUBMISSIONS } from '../../submissions/sql/lists.ts';
import { isState } from '../../submissions/state-copy.ts';
import type { SubmissionRow } from '../../submissions/submission.ts';
import { renderSubmission } from '../../submissions/text/render-submission.ts';
import { getUnsentStatus } from '../../submissions/unsent-posts.ts';
import { type LoadedHomePosts, loadHomePosts } from './load-home-posts.ts';
import { loadStoppedProjects, type StoppedProject } from './stopped-projects.ts';
import { loadWaitingReviews, type WaitingReviews } from './waiting-reviews.ts';

/** Maximum pending posts that Home names. */
const MAX_PENDING = 3;

/** The viewer's submissions that the service hasn't accepted yet, and held posts that need a decision. */
export interface PendingSubmissions {
  count: number;
  /** Whether there are more than `count`. */
  hasMore: boolean;
  /** The newest ones. */
  shown: readonly { status: string; title: string }[];
}

/** The data for rendering Home. */
export interface HomeContent {
  now: Date;
  isEmulated: boolean;
  /** The viewer's zone. Defaults to UTC. */
  zone: string;
  /** The viewer's locale, if Slack returned it. */
  locale: string | undefined;
  pending: PendingSubmissions;
  stopped: readonly StoppedProject[];
  reviews: WaitingReviews;
  posts: LoadedHomePosts;
}

/** Minimal call for loading Home. A background delivery has no call, so it creates this part. */
export type HomeCall = Pick<Call, 'context' | 'actor' | 'client' | 'catalogue' | 'log' | 'reference' | 'now'>;

export async function loadHome(call: HomeCall): Promise<HomeContent> {
  const { context, actor } = call;
  const now = call.now();
  const [posts, { zone, locale }, outbox, stopped, reviews] = await Promise.all([
    loadHomePosts(call, now),
    fetchReader(call),
    listOutbox(context.db, { workspace: actor.workspace, author: actor.user }),
    loadStoppedProjects(call),
    loadWaitingReviews(call),
  ]);
  const undecidedPosts = typeof posts === 'object' && 'undecided' in posts ? posts.undecided : [];
  const ownPosts = undecidedPosts.filter(({ author }) => author === actor.user);
  const pending = {
    count: Math.min(outbox.length, MAX_OUTBOX_SUBMISSIONS) + ownPosts.length,
    hasMore: outbox.length > MAX_OUTBOX_SUBMISSIONS,
    shown: [
      ...ownPosts.slice(0, MAX_PENDING).map((post) => describeUndecidedPost(post, { zone, now })),
      ...outbox
        .filter(({ state }) => isState(state))
        .slice(0, MAX_PENDING)
        .map((row) => readPending(call, row)),
    ].slice(0, MAX_PENDING),
  };
  return { now, isEmulated: context.isEmulated, zone, locale, pending, stopped, reviews, posts };
}

function describeUndecidedPost(
  { post, project }: ListedHeldPost,
  { zone, now }: Pick<HomeContent, 'zone' | 'now'>,
) {
  const time = post.scheduleDate ? renderMoment(post.scheduleDate, zone, now) : 'no date';
  return { status: 'DECISION', title: `Post for ${project.name}, ${time}` };
}

function readPending({ context, now }: HomeCall, row: SubmissionRow) {
  const { title, stateCopy } = renderSubmission(context.submissions.context, row, {
    now: now(),
    isEmulated: context.isEmulated,
  });
  return { status: getUnsentStatus(stateCopy), title };
}
