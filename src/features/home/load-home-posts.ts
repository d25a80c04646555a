import { MAX_DRAFTS, POSTS_MAX_AGE_MS } from '../../api/cached-reads.ts';
import type { Outcome } from '../../api/outcome.ts';
import type { Post } from '../../api/posts.ts';
import type { Project } from '../../api/projects.ts';
import type { Records } from '../../api/records.ts';
import { MINUTE_MS, WEEK_MS } from '../../durations.ts';
import { addMs, MAX_CLOCK_DIFFERENCE_MS } from '../../engine/clock.ts';
import type { AppContext, Call } from '../../handlers/call.ts';
import { readProjects } from '../../held-posts/known-projects.ts';
import { listHeldPlan } from '../../held-posts/listed-posts.ts';
import { type HeldInfo, type ListedHeldPost, mergePlan } from '../../posts/merge-plan.ts';
import { hasStatus, readPublicationStatus } from '../../posts/post-status.ts';
import { comparePosts } from '../../posts/post-time.ts';
import { matchesListFilter } from '../../posts/read-post-list.ts';
import { mapLimited } from '../../promises.ts';
import type { ReadFailure } from '../../slack/service-failure.ts';
import { listRecentlyConfirmed } from '../../submissions/sql/lists.ts';

/** Maximum projects that Home shows. Home is refreshed after every action, so it must be fast. */
const MAX_PROJECTS = 10;
/** Loading Home takes less, even if every request reaches its time limit. */
const MAX_HOME_LOAD_MS = MINUTE_MS;

export interface HomePosts {
  /** The number of listed projects that the person may see. */
  projectCount: number;
  /** The number of all listed projects. Undefined if the person may see all. */
  unfilteredCount: number | undefined;
  /** The number of projects that couldn't be read. */
  unreadableCount: number;
  /** The listed projects whose posts Home shows. */
  projects: readonly Project[];
  /** Whether the service has more projects than were listed. */
  hasMoreProjects: boolean;
  /** The posts of the next seven days. Soonest first. */
  week: readonly ProjectPost[];
  /** The next post of each project without posts in the next seven days. Soonest first. */
  later: readonly ProjectPost[];
  hasMoreThisWeek: boolean;
  drafts: readonly ProjectPost[];
  hasMoreDrafts: boolean;
  /** When the oldest of the posts were read. */
  readAt: Date;
  /** Projects with posts that could not be read. */
  incompleteProjects: readonly Project[];
}

export type LoadedHomePosts = HomePosts | { failure: ReadFailure };

/**
 * Loads the posts of up to 10 projects. They come from a cache that all people of the workspace share. What the viewer
 * has just scheduled is among them, even if another instance sent it.
 */
export async function loadHomePosts(
  { context, actor }: Pick<Call, 'context' | 'actor'>,
  now: Date,
): Promise<LoadedHomePosts> {
  await dropChangedPosts({ context, actor });
  const outcome = await context.reads.listProjects(context.api);
  // With known projects, Home shows only the held posts.
  const { projects, failure } = await readProjects({ context, actor }, outcome);
  if (!projects) return { failure };
  const { items, isTruncated } = projects;
  const shownProjects = items.slice(0, MAX_PROJECTS);
  const readPosts = await mapLimited(shownProjects, async (project) =>
    failure ? { project, readAt: now, ...NOTHING_READ } : loadProjectPosts(context, project, now),
  );
  const planQuery = { workspace: actor.workspace, projects: shownProjects.map(({ id }) => id) };
  const held = await listHeldPlan(context.heldPosts, {
    ...planQuery,
    // The lists of the service may be older than the delivery.
    deliveredSince: addMs(context.heldPosts.clock.readShared(), -(POSTS_MAX_AGE_MS + MAX_HOME_LOAD_MS)),
  });
  if (failure && held.posts.length === 0) return { failure };
  // A post has the name of its project from when it was written.
  const withCurrentProjectName = (listed: ListedHeldPost): ListedHeldPost => ({
    ...listed,
    project: shownProjects.find(({ id }) => id === listed.project.id) ?? listed.project,
  });
  // Drafts without a date come last, so a long list lacks them.
  const heldDrafts = held.isTruncated
    ? await listHeldPlan(context.heldPosts, { ...planQuery, states: ['draft'] })
    : held;
  const projectPosts = await mapLimited(readPosts, async (posts) => ({
    ...posts,
    laterPosts: await addOtherParts(context, posts.laterPosts, held.posts),
  }));
  const hasMoreThisWeek = held.isTruncated || projectPosts.some((project) => project.hasMoreThisWeek);
  return {
    projectCount: items.length,
    unfilteredCount: projects.unfilteredCount,
    unreadableCount: projects.unreadableCount,
    projects: shownProjects,
    hasMoreProjects: isTruncated,
    ...mergeWeek(projectPosts, held.posts.map(withCurrentProjectName), now),
    hasMoreThisWeek,
    drafts: [
      ...projectPosts.flatMap(({ drafts }) => drafts),
      ...heldDrafts.posts.filter(({ held: { state } }) => state === 'draft').map(withCurrentProjectName),
    ],
    hasMoreDrafts: heldDrafts.isTruncated || projectPosts.some(({ hasMoreDrafts }) => hasMoreDrafts),
    readAt: projectPosts.reduce((oldest, { readAt }) => (readAt < oldest ? readAt : oldest), now),
    incompleteProjects: projectPosts.filter(({ isIncomplete }) => isIncomplete).map(({ project }) => project),
  };
}

/** The service names one post as the next. If it is a part of a post with several texts, adds those of the same time. */
async function addOtherParts(
  { api, reads }: AppContext,
  laterPosts: ProjectPost[],
  heldPosts: readonly ListedHeldPost[],
): Promise<ProjectPost[]> {
  const [next] = laterPosts;
  const time = next?.post.scheduleDate;
  if (!next || !time) return laterPosts;
  const { project } = next;
  const mayBePart = heldPosts.some(
    ({ post, parts, ...held }) =>
      parts && held.project.id === project.id && post.scheduleDate?.getTime() === time.getTime(),
  );
  const outcome = mayBePart ? await reads.posts.listAt(api, project.id, time) : undefined;
  const posts = outcome?.kind === 'done' ? outcome.data.items : [];
  const others = posts.filter(
    ({ id, scheduleDate }) => id !== next.post.id && scheduleDate?.getTime() === time.getTime(),
  );
  return [...laterPosts, ...others.map((post) => ({ project, post }))];
}

/** Adds the held posts. `later`: the next post of each project with none in the next seven days. */
function mergeWeek(
  projectPosts: readonly Pick<LoadedProject, 'project' | 'week' | 'laterPosts'>[],
  heldPosts: readonly ListedHeldPost[],
  now: Date,
): Pick<HomePosts, 'week' | 'later'> {
  const servicePosts = projectPosts.flatMap(({ week, laterPosts }) => [...week, ...laterPosts]);
  const weekEnd = now.getTime() + WEEK_MS;
  const plan = mergePlan(servicePosts, heldPosts).filter(
    ({ held, post }) => !held || (held.state !== 'draft' && (post.scheduleDate ?? now) > now),
  );
  const isThisWeek = ({ post }: ProjectPost) => (post.scheduleDate?.getTime() ?? 0) <= weekEnd;
  const later = projectPosts.flatMap(({ project }) => {
    const ownPosts = plan.filter((planned) => planned.project.id === project.id);
    return ownPosts.some(isThisWeek) ? [] : ownPosts.slice(0, 1);
  });
  return {
    week: plan.filter(isThisWeek),
    later: later.sort((one, other) => comparePosts(one.post, other.post)),
  };
}

/** Drops the cached posts of projects in which the viewer's submissions were confirmed, perhaps by another instance. */
async function dropChangedPosts({ context, actor }: Pick<Call, 'context' | 'actor'>): Promise<void> {
  const confirmed = await listRecentlyConfirmed(context.db, {
    workspace: actor.workspace,
    author: actor.user,
    since: addMs(context.submissions.context.clock.readShared(), -2 * POSTS_MAX_AGE_MS),
  });
  // The clock of the other instance may be behind.
  for (const { project, changedAt } of confirmed)
    context.reads.posts.dropIfOlder(context.api, project, addMs(changedAt, MAX_CLOCK_DIFFERENCE_MS));
}

export interface ProjectPost {
  project: Project;
  post: Post;
  /** Set if Upnext keeps the post. */
  held?: HeldInfo;
}

type LoadedProject = Awaited<ReturnType<typeof loadProjectPosts>>;

/** What is known of a project whose posts the service didn't return. */
const NOTHING_READ = {
  ...{ week: [], laterPosts: [], drafts: [], isIncomplete: true },
  ...{ hasMoreThisWeek: false, hasMoreDrafts: false },
};

/** Loads the posts of a project. `laterPosts` is empty, or contains the next post if the week has no posts. */
async function loadProjectPosts({ api, reads: { posts } }: AppContext, project: Project, now: Date) {
  const [weekOutcome, draftsOutcome] = await Promise.all([
    posts.listWeek(api, project.id),
    posts.listDrafts(api, project.id),
  ]);
  const listedPosts = weekOutcome.kind === 'done' ? weekOutcome.data.items : [];
  const readAt = getReadTime(weekOutcome) ?? now;
  const week = { from: readAt, to: addMs(readAt, WEEK_MS), platforms: [], statuses: [] };
  const hasPassedSince = (date: Date | undefined) => date !== undefined && date > readAt && date <= now;
  const weekPosts = listedPosts.filter(
    (post) =>
      mayHaveStatus(post, 'SCHEDULED') && matchesListFilter(post, week) && !hasPassedSince(post.scheduleDate),
  );
  const nextOutcome = weekPosts.length === 0 ? await posts.getNext(api, project.id) : undefined;
  const laterPosts = nextOutcome?.kind === 'done' && nextOutcome.data.post ? [nextOutcome.data.post] : [];
  const listedDrafts = draftsOutcome.kind === 'done' ? draftsOutcome.data.items : [];
  const draftPosts = listedDrafts.filter((post) => mayHaveStatus(post, 'DRAFT'));
  const outcomes = [weekOutcome, draftsOutcome, ...(nextOutcome ? [nextOutcome] : [])];
  const toProjectPost = (post: Post): ProjectPost => ({ project, post });
  return {
    project,
    readAt: new Date(Math.min(...outcomes.map((outcome) => (getReadTime(outcome) ?? now).getTime()))),
    week: weekPosts.map(toProjectPost),
    laterPosts: laterPosts.map(toProjectPost),
    drafts: draftPosts.map(toProjectPost),
    hasMoreThisWeek: isListTruncated(weekOutcome),
    hasMoreDrafts: listedDrafts.length >= MAX_DRAFTS || isListTruncated(draftsOutcome),
    isIncomplete: !outcomes.every(isComplete),
  };
}

/** Whether the service, asked for this status, may mean it: the post has it, or a word of the service's own. */
function mayHaveStatus(post: Post, wanted: 'SCHEDULED' | 'DRAFT'): boolean {
  return hasStatus(post, wanted) || readPublicationStatus(post.status) === 'unclear';
}

function getReadTime(outcome: Outcome<{ readAt: Date }>): Date | undefined {
  return outcome.kind === 'done' ? outcome.data.readAt : undefined;
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
