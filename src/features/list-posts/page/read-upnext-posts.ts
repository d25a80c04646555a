import type { Post } from '../../../api/posts.ts';
import type { Project } from '../../../api/projects.ts';
import type { Call } from '../../../app/call.ts';
import { PLANNED_STATES, type State } from '../../../held-posts/held-post.ts';
import { dropHandedOver, listHeldPlan } from '../../../held-posts/listed-posts.ts';
import { matchesListFilter, type PostListFilter } from '../../../posts/read-post-list.ts';
import { listUnsentPosts, UNSENT_STATUSES } from '../../../submissions/unsent-posts.ts';
import { includeHeldStatuses, type PostFilter } from '../filter/post-filter.ts';
import { countWholeDays } from '../filter/whole-days.ts';
import type { ListedPost } from './listed-post.ts';

const DAYS_PER_WEEK = 7;

/** Posts that only Upnext has, or knows more about than the service. */
interface UpnextPosts {
  posts: readonly ListedPost[];
  /** Whether there are more posts than were read. */
  isTruncated: boolean;
}

/**
 * Reads the posts that Upnext keeps, and those that the service doesn't have although they were sent. Leaves out held
 * posts that were handed over and are in `servicePosts`.
 */
export async function readUpnextPosts(
  call: Call,
  project: Project,
  filter: PostFilter,
  servicePosts: readonly Post[],
): Promise<UpnextPosts> {
  const query = toListFilter(project, filter);
  const [unsentPosts, held] = await Promise.all([
    readUnsentPosts(call, query),
    listHeldPlan(call.context.heldPosts.context, {
      workspace: call.actor.workspace,
      projects: [project.id],
      states: listStates(filter),
      includesUndated: includesUndatedDrafts(filter),
      from: query.from,
      to: query.to,
    }),
  ]);
  const sentIds = new Set(unsentPosts.map(({ origin }) => origin));
  const heldPosts = dropHandedOver(
    held.posts.filter((listed) => !sentIds.has(listed.held.id)),
    servicePosts.map((post) => ({ project, post })),
  );
  // The query has compared the times already, and a post without a time has none that could match.
  const heldFilter = { platforms: query.platforms, statuses: includeHeldStatuses(query.statuses) };
  return {
    posts: [
      ...unsentPosts,
      ...heldPosts.filter(
        ({ post }) => matchesListFilter(post, heldFilter) && (!filter.isUndatedOnly || isUndated(post)),
      ),
    ],
    isTruncated: held.isTruncated,
  };
}

function listStates({ statuses, isUndatedOnly }: PostFilter): readonly State[] {
  if (isUndatedOnly) return ['draft'];
  return statuses.includes('CANCELLED') ? [...PLANNED_STATES, 'cancelled'] : PLANNED_STATES;
}

/** Converts the filter of a person to that of the service. */
export function toListFilter(
  { id: projectId }: Project,
  { from, to, ...filter }: PostFilter,
): PostListFilter {
  return {
    projectId,
    platforms: filter.platforms,
    statuses: filter.statuses,
    ...(from !== undefined && { from: new Date(from) }),
    ...(to !== undefined && { to: new Date(to) }),
  };
}

export function includesUnsentPosts(statuses: readonly string[]): boolean {
  return UNSENT_STATUSES.some((status) => statuses.includes(status));
}

/** Reads the posts that the service doesn't have, if the filter asks for them. Managers see those of all people. */
async function readUnsentPosts(call: Call, query: PostListFilter) {
  if (!includesUnsentPosts(query.statuses)) return [];
  const { workspace, user } = call.actor;
  const { projectId: project } = query;
  const posts = await listUnsentPosts(call.context.submissions.context, {
    workspace,
    project,
    author: call.may('manager', project) ? undefined : user,
  });
  return posts
    .filter(({ post }) => matchesListFilter(post, query))
    .map((listedPost) => ({ ...listedPost, isUnsent: listedPost.post.id === undefined }));
}

/** Whether the list also shows drafts without a date. Only the list of a whole week shows them. */
export function includesUndatedDrafts({ statuses, from, to, zone, ...filter }: PostFilter): boolean {
  if (
    filter.isUndatedOnly ||
    filter.omitsUndatedDrafts ||
    from === undefined ||
    to === undefined ||
    zone === undefined
  )
    return false;
  const isWeek = countWholeDays({ from: new Date(from), to: new Date(to), zone }) === DAYS_PER_WEEK;
  return isWeek && (statuses.length === 0 || statuses.includes('DRAFT'));
}

/** Whether a post has no date. A post with an unreadable date has one. */
export function isUndated({ scheduleDate, unreadableFields = [] }: Post): boolean {
  return scheduleDate === undefined && !unreadableFields.includes('ScheduleDate');
}
