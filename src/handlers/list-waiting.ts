import { type HeldPostRow, isAsked } from '../held-posts/held-post.ts';
import { listUndecidedSeries } from '../held-posts/series/change-series.ts';
import type { SeriesRow } from '../held-posts/series/series.ts';
import { listHeldPosts } from '../held-posts/sql/held-posts.ts';
import { getNoun, renderPostCount } from '../posts/post-text.ts';
import { listOutbox, listOverdueOfOthers, MAX_OUTBOX_SUBMISSIONS } from '../submissions/sql/lists.ts';
import type { SubmissionRow } from '../submissions/submission.ts';
import type { Call } from './call.ts';

/** What is in a person's outbox: what hasn't reached the service yet, or needs them. */
export interface OutboxContent {
  submissions: readonly SubmissionRow[];
  /** Whether the person has more submissions than were read. */
  hasMore: boolean;
  /** Submissions of others that the person may handle. */
  submissionsOfOthers: readonly SubmissionRow[];
  /** Posts that need the person's decision, their own ones first. */
  questions: readonly HeldPostRow[];
  drafts: readonly HeldPostRow[];
  series: readonly SeriesRow[];
}

/** Lists what is in the actor's outbox. */
export async function listWaiting(
  call: Pick<Call, 'context' | 'actor' | 'now' | 'may' | 'lacks'>,
): Promise<OutboxContent> {
  const { context, actor } = call;
  const { db } = context;
  const { workspace, user: author } = actor;
  const sharedNow = context.submissions.context.clock.readShared();
  const mayManage = call.may('manager');
  const [submissions, ofOthers, ownPosts, openQuestions, series] = await Promise.all([
    listOutbox(db, { workspace, author }),
    mayManage ? listOverdueOfOthers(db, { workspace, author, now: call.now(), sharedNow }) : [],
    listHeldPosts(db, { workspace, author, states: ['needs-person', 'draft'] }),
    mayManage ? listHeldPosts(db, { workspace, states: ['needs-person'] }) : [],
    listUndecidedSeries(db, call),
  ]);
  const { draft: drafts = [], 'needs-person': ownQuestions = [] } = Object.groupBy(
    ownPosts.filter((row) => isAsked(call, row)),
    ({ state }) => state,
  );
  const questionsOfOthers = openQuestions.filter((row) => row.author !== author && isAsked(call, row));
  return {
    submissions: submissions.slice(0, MAX_OUTBOX_SUBMISSIONS),
    hasMore: submissions.length > MAX_OUTBOX_SUBMISSIONS,
    submissionsOfOthers: ofOthers.filter(({ project }) => call.may('manager', project ?? '')),
    questions: [...ownQuestions, ...questionsOfOthers],
    drafts,
    series,
  };
}

/** Counts what is in an outbox, without the drafts, which wait for nobody else. */
export function countPending({ submissions, submissionsOfOthers, questions, series }: OutboxContent): number {
  return submissions.length + submissionsOfOthers.length + questions.length + series.length;
}

/** Renders how much is in an outbox: "At least 50 posts and 1 draft are waiting". */
export function renderOutboxCount(waiting: OutboxContent): string {
  const posts = countPending(waiting);
  const drafts = waiting.drafts.length;
  const submissions = [...waiting.submissions, ...waiting.submissionsOfOthers];
  const noun = getNoun([...submissions.map(({ kind }) => kind), ...waiting.series.map(() => 'series')]);
  const count = renderPostCount({ posts, drafts, noun });
  return `${waiting.hasMore ? 'At least ' : ''}${count} ${posts + drafts === 1 ? 'is' : 'are'} waiting`;
}
