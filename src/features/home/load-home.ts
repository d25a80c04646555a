import { getUpnextPost } from '../../api/dashboard.ts';
import { mapLimited } from '../../api/map-limited.ts';
import type { Outcome } from '../../api/outcome.ts';
import { listPosts, type Post } from '../../api/posts.ts';
import type { Project } from '../../api/projects.ts';
import type { Records } from '../../api/records.ts';
import type { Call } from '../../app/call.ts';
import type { AppContext } from '../../app/context.ts';
import { fetchReader } from '../../forms/form-context.ts';
import { comparePosts } from '../../posts/post-order.ts';
import type { ServiceFailure } from '../../slack/service-failure.ts';
import { listOutbox, MAX_OUTBOX_SUBMISSIONS } from '../../submissions/sql/lists.ts';
import type { SubmissionRow } from '../../submissions/sql/submissions.ts';
import { isState } from '../../submissions/state-copy.ts';
import { renderSubmission } from '../../submissions/text/render-submission.ts';
import { getUnsentStatus } from '../../submissions/unsent-posts.ts';
import { loadStoppedProjects, type StoppedProject } from './stopped-projects.ts';

/** Maximum projects that Home shows. Home is refreshed after every action, so it must be fast. */
const MAX_PROJECTS = 10;
/** Maximum projects read at the same time. */
const MAX_CONCURRENT_PROJECTS = 4;
/** Maximum posts of the week to read for each project. Home says if there are more posts. */
const MAX_WEEK_POSTS = 100;
/** Maximum pending submissions that Home names. */
const MAX_PENDING = 3;
/** Maximum drafts to read for each project. */
const MAX_DRAFTS = 10;
const WEEK_MS = 7 * 24 * 60 * 60 * 1000;

/** A post, with its project. */
export interface ProjectPost {
  project: Project;
  post: Post;
}

/** The posts that Home shows. */
export interface HomePosts {
  /** The number of projects that the service listed. */
  projectCount: number;
  /** The listed projects whose posts Home shows. */
  projects: readonly Project[];
  /** Whether the service has more projects than were listed. */
  hasMoreProjects: boolean;
  /** The posts of the next seven days. Soonest first. */
  week: readonly ProjectPost[];
  /** The next post of each project without posts in the next seven days. Soonest first. */
  later: readonly ProjectPost[];
  /** Whether the week has more posts than were read. */
  hasMoreThisWeek: boolean;
  /** Whether `week` certainly contains the posts of all projects. */
  isWeekComplete: boolean;
  drafts: readonly ProjectPost[];
  hasMoreDrafts: boolean;
  /** Projects with posts that could not be read. */
  incompleteProjects: readonly Project[];
}

/** The viewer's submissions that the service hasn't accepted yet. */
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
  posts: HomePosts | { failure: ServiceFailure } | 'unreadable';
}

/** Minimal call for loading Home. A background delivery has no call, so it creates this part. */
export type HomeCall = Pick<Call, 'context' | 'actor' | 'client' | 'catalogue' | 'log' | 'reference' | 'now'>;

export async function loadHome(call: HomeCall): Promise<HomeContent> {
  const { context, actor } = call;
  const now = call.now();
  const [posts, { zone, locale }, outbox, stopped] = await Promise.all([
    loadHomePosts(call, now),
    fetchReader(call),
    listOutbox(context.db, { workspace: actor.workspace, author: actor.user }),
    loadStoppedProjects(call),
  ]);
  const pending = {
    count: Math.min(outbox.length, MAX_OUTBOX_SUBMISSIONS),
    hasMore: outbox.length > MAX_OUTBOX_SUBMISSIONS,
    shown: outbox
      .filter(({ state }) => isState(state))
      .slice(0, MAX_PENDING)
      .map((row) => readPending(call, row)),
  };
  return { now, isEmulated: context.isEmulated, zone, locale, pending, stopped, posts };
}

function readPending({ context, now }: HomeCall, row: SubmissionRow) {
  const { title, stateCopy } = renderSubmission(context.submissions.context, row, {
    now: now(),
    isEmulated: context.isEmulated,
  });
  return { status: getUnsentStatus(stateCopy), title };
}

async function loadHomePosts({ context }: HomeCall, now: Date): Promise<HomeContent['posts']> {
  const outcome = await context.reads.fetchProjects(context.api);
  if (outcome.kind !== 'done') return { failure: outcome };
  const { items, isReadable, isTruncated } = outcome.data;
  if (!isReadable) return 'unreadable';
  const shownProjects = items.slice(0, MAX_PROJECTS);
  const projectPosts = await mapLimited(shownProjects, MAX_CONCURRENT_PROJECTS, (project) =>
    loadProjectPosts(context, project, now),
  );
  return {
    projectCount: items.length,
    projects: shownProjects,
    hasMoreProjects: isTruncated,
    week: sortBySoonest(projectPosts.flatMap(({ week }) => week)),
    later: sortBySoonest(projectPosts.flatMap(({ laterPosts }) => laterPosts)),
    hasMoreThisWeek: projectPosts.some(({ hasMoreThisWeek }) => hasMoreThisWeek),
    isWeekComplete:
      isComplete(outcome) &&
      !isTruncated &&
      items.length === shownProjects.length &&
      projectPosts.every(({ hasWholeWeek }) => hasWholeWeek),
    drafts: projectPosts.flatMap(({ drafts }) => drafts),
    hasMoreDrafts: projectPosts.some(({ hasMoreDrafts }) => hasMoreDrafts),
    incompleteProjects: projectPosts.filter(({ isIncomplete }) => isIncomplete).map(({ project }) => project),
  };
}

/** Loads the posts of a project. `laterPosts` is empty, or contains the next post if the week has no posts. */
async function loadProjectPosts({ api }: AppContext, project: Project, now: Date) {
  const query = { projectId: project.id };
  const weekEnd = new Date(now.getTime() + WEEK_MS);
  const [weekOutcome, draftsOutcome] = await Promise.all([
    listPosts(api, {
      ...query,
      status: ['SCHEDULED'],
      scheduledFrom: now,
      scheduledTo: weekEnd,
      limit: MAX_WEEK_POSTS,
    }),
    listPosts(api, { ...query, status: ['DRAFT'], limit: MAX_DRAFTS }),
  ]);
  const weekPosts = weekOutcome.kind === 'done' ? weekOutcome.data.items : [];
  const hasMoreThisWeek = weekPosts.length >= MAX_WEEK_POSTS || isListTruncated(weekOutcome);
  const nextOutcome = weekPosts.length === 0 ? await getUpnextPost(api, project.id) : undefined;
  const laterPosts = nextOutcome?.kind === 'done' && nextOutcome.data.post ? [nextOutcome.data.post] : [];
  const draftPosts = draftsOutcome.kind === 'done' ? draftsOutcome.data.items : [];
  const toProjectPost = (post: Post): ProjectPost => ({ project, post });
  return {
    project,
    week: weekPosts.map(toProjectPost),
    laterPosts: laterPosts.map(toProjectPost),
    drafts: draftPosts.map(toProjectPost),
    hasMoreThisWeek,
    hasWholeWeek:
      !hasMoreThisWeek && isComplete(weekOutcome) && weekPosts.every(({ scheduleDate }) => scheduleDate),
    hasMoreDrafts: draftPosts.length >= MAX_DRAFTS || isListTruncated(draftsOutcome),
    isIncomplete: [weekOutcome, draftsOutcome, nextOutcome].some(
      (outcome) => outcome !== undefined && !isComplete(outcome),
    ),
  };
}

function isListTruncated(outcome: Outcome<Records<Post>>): boolean {
  return outcome.kind === 'done' && outcome.data.isTruncated;
}

/** Whether the request succeeded, and all records in the response are readable. */
function isComplete(outcome: {
  kind: string;
  data?: { isReadable: boolean; unreadableCount?: number };
}): boolean {
  const { kind, data } = outcome;
  return kind === 'done' && data?.isReadable === true && (data.unreadableCount ?? 0) === 0;
}

function sortBySoonest(posts: readonly ProjectPost[]): ProjectPost[] {
  return posts.toSorted((first, second) => comparePosts(first.post, second.post));
}
