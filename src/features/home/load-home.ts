import { getUpnextPost } from '../../api/dashboard.ts';
import { mapLimited } from '../../api/map-limited.ts';
import type { Outcome } from '../../api/outcome.ts';
import { listPosts, type Post } from '../../api/posts.ts';
import type { Project } from '../../api/projects.ts';
import type { Records } from '../../api/records.ts';
import type { Call } from '../../app/call.ts';
import type { AppContext } from '../../app/context.ts';
import { readProfile } from '../../forms/form-context.ts';
import type { ServiceFailure } from '../../slack/service-failure.ts';
import { listOutbox } from '../../submissions/sql/lists.ts';

/** Maximum projects that Home shows. Home is refreshed after every action, so it must be fast. */
const MAX_PROJECTS = 10;
/** Maximum projects read at the same time. */
const MAX_CONCURRENT_PROJECTS = 4;
/** Maximum posts of the week to read for each project. Home says if there are more posts. */
const MAX_WEEK_POSTS = 100;
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
  /** The number of listed projects that Home leaves out. */
  skippedProjectCount: number;
  /** Whether the service has more projects than were listed. */
  hasMoreProjects: boolean;
  /** The posts of each project in the next seven days, or the project's next post if there are none. Soonest first. */
  upcoming: readonly ProjectPost[];
  /** The posts of the next seven days. Soonest first. */
  week: readonly ProjectPost[];
  /** Whether the week has more posts than were read. */
  hasMoreThisWeek: boolean;
  drafts: readonly ProjectPost[];
  hasMoreDrafts: boolean;
  /** Projects with posts that could not be read. */
  incompleteProjects: readonly Project[];
}

/** The data for rendering Home. */
export interface HomeContent {
  now: Date;
  isEmulated: boolean;
  zone: string;
  /** The number of the reader's submissions that the service hasn't accepted yet. */
  waitingCount: number;
  posts: HomePosts | { trouble: ServiceFailure } | 'unreadable';
}

/** Minimal call for loading Home. A background delivery has no call, so it creates this part. */
export type HomeCall = Pick<Call, 'context' | 'actor' | 'client' | 'catalogue' | 'log' | 'reference' | 'now'>;

export async function loadHome(call: HomeCall): Promise<HomeContent> {
  const { context, actor } = call;
  const now = call.now();
  const [posts, { actorZone: zone = 'UTC' }, outbox] = await Promise.all([
    loadHomePosts(call, now),
    readProfile(call),
    listOutbox(context.db, { workspace: actor.workspace, author: actor.user }),
  ]);
  return { now, isEmulated: context.isEmulated, zone, waitingCount: outbox.length, posts };
}

async function loadHomePosts({ context }: HomeCall, now: Date): Promise<HomeContent['posts']> {
  const outcome = await context.reads.fetchProjects(context.api);
  if (outcome.kind !== 'done') return { trouble: outcome };
  const { items, shape, isTruncated } = outcome.data;
  if (shape === 'unreadable') return 'unreadable';
  const shownProjects = items.slice(0, MAX_PROJECTS);
  const projectPosts = await mapLimited(shownProjects, MAX_CONCURRENT_PROJECTS, (project) =>
    loadProjectPosts(context, project, now),
  );
  return {
    projectCount: items.length,
    skippedProjectCount: items.length - shownProjects.length,
    hasMoreProjects: isTruncated,
    upcoming: sortBySoonest(
      projectPosts.flatMap(({ week, laterPosts }) => (week.length > 0 ? week : laterPosts)),
    ),
    week: sortBySoonest(projectPosts.flatMap(({ week }) => week)),
    hasMoreThisWeek: projectPosts.some(({ hasMoreThisWeek }) => hasMoreThisWeek),
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
  const nextOutcome = weekPosts.length === 0 ? await getUpnextPost(api, project.id) : undefined;
  const laterPosts = nextOutcome?.kind === 'done' && nextOutcome.data.post ? [nextOutcome.data.post] : [];
  const draftPosts = draftsOutcome.kind === 'done' ? draftsOutcome.data.items : [];
  const toProjectPost = (post: Post): ProjectPost => ({ project, post });
  return {
    project,
    week: weekPosts.map(toProjectPost),
    laterPosts: laterPosts.map(toProjectPost),
    drafts: draftPosts.map(toProjectPost),
    hasMoreThisWeek: weekPosts.length >= MAX_WEEK_POSTS || isListTruncated(weekOutcome),
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
function isComplete(outcome: { kind: string; data?: { shape: string; unreadable?: number } }): boolean {
  const { kind, data } = outcome;
  return kind === 'done' && data?.shape === 'read' && (data.unreadable ?? 0) === 0;
}

/** Sorts by date. Posts without a date come last. */
function sortBySoonest(posts: readonly ProjectPost[]): ProjectPost[] {
  const getTime = ({ post }: ProjectPost) => post.scheduleDate?.getTime() ?? Number.POSITIVE_INFINITY;
  return posts.toSorted((a, b) => (getTime(a) === getTime(b) ? 0 : getTime(a) - getTime(b)));
}
