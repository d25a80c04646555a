import type { ApiClient } from '../../../api/client.ts';
import { POST_STATUSES } from '../../../api/platforms.ts';
import type { Post } from '../../../api/posts.ts';
import type { Project } from '../../../api/projects.ts';
import type { Call } from '../../../handlers/call.ts';
import { listHeldPlan, listStatesWith } from '../../../held-posts/listed-posts.ts';
import { findPostAuthors } from '../../../held-posts/post-authors.ts';
import type { PostFacts } from '../../../posts/describe-post.ts';
import { type HeldInfo, type ListedHeldPost, mergePlan } from '../../../posts/merge-plan.ts';
import { hasStatus } from '../../../posts/post-status.ts';
import {
  matchesListFilter,
  type PostList,
  type PostListFilter,
  readPostList,
} from '../../../posts/read-post-list.ts';
import { filterInTurns } from '../../../promises.ts';
import { fetchNames } from '../../../slack/fetch-people.ts';
import { createWordSearch, normalizeName } from '../../../slack/name.ts';
import type { ReadFailure } from '../../../slack/service-failure.ts';
import { findScheduledDrafts } from '../../../submissions/sql/scheduled-drafts.ts';
import { listUnsentPosts, UNSENT_STATUSES } from '../../../submissions/unsent-posts.ts';
import { includeHeldStatuses, isSlackId, isWholeWeek, type PostFilter } from '../post-filter.ts';

/** Maximum authors whose names are looked up for one list. Slack allows about 100 lookups a minute. */
const MAX_AUTHORS = 30;

export interface FoundPosts {
  kind: 'found';
  /** Set if the service's posts couldn't be read, but posts in the outbox match. */
  failure?: ReadFailure | undefined;
  /** Whether the posts of other people that the service doesn't have are left out. */
  omitsUnsentPostsOfOthers: boolean;
  /** The posts with a date. The date may be unreadable. */
  dated: readonly ListedPost[];
  undated: readonly ListedPost[];
  unreadableCount: number;
  /** Whether there may be more posts than were read. */
  isTruncated: boolean;
  /** The Slack id of the only author that the typed name matches, if all names were compared. */
  author?: string | undefined;
  /** Set only for a list of a whole week, which also shows the drafts without a date. */
  undatedDrafts?: {
    /** Whether the service has more drafts than were read. */
    isTruncated: boolean;
  };
}

/** For a filter that matches none of the service's posts. */
const EMPTY_LIST: PostList = { kind: 'read', posts: [], unreadableCount: 0, isTruncated: false };

/** Reads the posts that match a filter in the service and the outbox; for a whole week, drafts without a date too. */
export async function readPosts(
  call: Call,
  project: Project,
  filter: PostFilter,
): Promise<FoundPosts | { kind: 'failed'; failure: ReadFailure }> {
  const { api } = call.context;
  const query = toListFilter(project, filter);
  const readAllDrafts = () =>
    readPostList(api, { projectId: project.id, platforms: filter.platforms, statuses: ['DRAFT'] });
  const [listed, drafts] = await Promise.all([
    filter.isUndatedOnly ? readAllDrafts() : readServicePosts(api, query),
    includesUndatedDrafts(filter) ? readAllDrafts() : undefined,
  ]);
  const failedList = [listed, drafts].find((list) => list?.kind === 'failed');
  const mainList = listed.kind === 'read' ? listed : EMPTY_LIST;
  const weekDrafts = drafts?.kind === 'read' ? drafts : undefined;
  const servicePosts = [...mainList.posts, ...(weekDrafts?.posts.filter(isUndated) ?? [])];
  const [listedServicePosts, { unsentPosts, heldPosts, isListed, isTruncated }] = await Promise.all([
    addAuthorsAndDuplicates(call, project, servicePosts),
    readUpnextPosts(call, project, filter),
  ]);
  const unsentIds = new Set(unsentPosts.flatMap(({ post }) => post.id ?? []));
  const plan = mergePlan(
    listedServicePosts.filter(({ post: { id } }) => id === undefined || !unsentIds.has(id)),
    heldPosts,
  );
  const listedPosts = [...unsentPosts, ...plan.filter((planned) => !planned.held || isListed(planned))];
  const { posts: matchingPosts, ...found } = await filterListedPosts(call, listedPosts, filter);
  if (failedList?.kind === 'failed' && matchingPosts.length === 0) return failedList;
  return {
    kind: 'found',
    dated: filter.isUndatedOnly ? [] : matchingPosts.filter(({ post }) => !isUndated(post)),
    undated: matchingPosts.filter(({ post }) => isUndated(post)),
    unreadableCount: mainList.unreadableCount + (weekDrafts?.unreadableCount ?? 0),
    ...(weekDrafts && { undatedDrafts: { isTruncated: weekDrafts.isTruncated } }),
    isTruncated: mainList.isTruncated || isTruncated || found.isTruncated === true,
    author: found.author,
    failure: failedList?.kind === 'failed' ? failedList.failure : undefined,
    omitsUnsentPostsOfOthers: includesUnsentPosts(filter.statuses) && !call.may('manager', project.id),
  };
}

/** The documented statuses of the service's posts, and one that services have too. */
const SERVICE_STATUSES: readonly string[] = [...POST_STATUSES, 'FAILED'];

function readServicePosts(api: ApiClient, query: PostListFilter): ReturnType<typeof readPostList> {
  const statuses = query.statuses.filter((status) => SERVICE_STATUSES.includes(status));
  const matchesNoPost = query.statuses.length > 0 && statuses.length === 0;
  return matchesNoPost ? Promise.resolve(EMPTY_LIST) : readPostList(api, { ...query, statuses });
}

async function filterListedPosts(
  call: Call,
  posts: readonly ListedPost[],
  filter: PostFilter,
): Promise<FilteredPosts> {
  const hasWords = createWordSearch(filter.search ?? '');
  const postsWithText = await filterInTurns(
    posts,
    ({ post: { content = '', ownTexts = [], ...post } }) =>
      hasWords([content, ...ownTexts.map(({ text }) => text)].join('\n')) &&
      !(filter.omitsUndatedDrafts && isUndated(post) && hasStatus(post, 'DRAFT')),
  );
  const author = filter.isMineOnly ? call.actor.user : filter.author;
  return author === undefined ? { posts: postsWithText } : filterByAuthor(call, postsWithText, author);
}

/** Lists the Slack ids of the authors, at most as many as names can be looked up for one list. */
export function listAuthors(posts: readonly ListedPost[]): string[] {
  return listAllAuthors(posts).slice(0, MAX_AUTHORS);
}

function listAllAuthors(posts: readonly ListedPost[]): string[] {
  return [...new Set(posts.flatMap(({ author }) => author ?? []))];
}

/** `isTruncated`: whether there were too many authors to look up the names of all. */
type FilteredPosts = Pick<FoundPosts, 'author'> & { posts: readonly ListedPost[]; isTruncated?: boolean };

/** Returns the posts of one author. A typed name matches the beginning of any of the author's names in Slack. */
async function filterByAuthor(
  call: Call,
  posts: readonly ListedPost[],
  author: string,
): Promise<FilteredPosts> {
  if (isSlackId(author)) return { posts: posts.filter((post) => post.author === author) };
  const typedName = normalizeName(author);
  const matches = await Promise.all(
    listAuthors(posts).map(async (id) => {
      const names = await fetchNames(call, id);
      return names.some((name) => normalizeName(name).startsWith(typedName)) ? [id] : [];
    }),
  );
  const ids = matches.flat();
  const isTruncated = listAllAuthors(posts).length > MAX_AUTHORS;
  return {
    posts: posts.filter((post) => ids.includes(post.author ?? '')),
    isTruncated,
    author: !isTruncated && ids.length === 1 ? ids[0] : undefined,
  };
}

/**
 * Reads the posts that the service doesn't have although they were sent, and those that Upnext keeps. `heldPosts` has
 * delivered ones too, for `mergePlan`. `isListed`: whether a held post is in the list.
 */
async function readUpnextPosts(call: Call, project: Project, filter: PostFilter) {
  const query = toListFilter(project, filter);
  const [unsent, held] = await Promise.all([
    readUnsentPosts(call, query),
    listHeldPlan(call.context.heldPosts, {
      workspace: call.actor.workspace,
      projects: [project.id],
      states: filter.isUndatedOnly ? ['draft'] : listStatesWith(includeHeldStatuses(filter.statuses)),
      includesUndated: includesUndatedDrafts(filter),
      from: query.from,
      to: query.to,
    }),
  ]);
  // The query has compared the times already, and a post without a time has none that could match.
  const heldFilter = { platforms: query.platforms, statuses: includeHeldStatuses(query.statuses) };
  const matches = ({ post }: ListedHeldPost) =>
    matchesListFilter(post, heldFilter) && (!filter.isUndatedOnly || isUndated(post));
  const heldPosts = held.posts.filter((listed) => listed.held.state === 'delivered' || matches(listed));
  // A post stands for its parts only where it is listed itself, and not once the service has them.
  const wholeIds = new Set(
    heldPosts
      .filter((listed) => listed.parts && listed.held.state !== 'delivered')
      .map((listed) => listed.held.id),
  );
  const unsentPosts = unsent.posts.filter(({ origin }) => !wholeIds.has(origin));
  const sentIds = new Set(unsentPosts.map(({ origin }) => origin));
  return {
    unsentPosts,
    heldPosts,
    isListed: (listed: ListedHeldPost) => matches(listed) && !sentIds.has(listed.held.id),
    isTruncated: held.isTruncated || unsent.isTruncated,
  };
}

function toListFilter({ id: projectId }: Project, filter: PostFilter): PostListFilter {
  return {
    projectId,
    platforms: filter.platforms,
    statuses: filter.statuses,
    from: filter.from,
    to: filter.to,
  };
}

function includesUnsentPosts(statuses: readonly string[]): boolean {
  return UNSENT_STATUSES.some((status) => statuses.includes(status));
}

/** Reads the posts that the service doesn't have, if the filter asks for them. Managers see those of all people. */
async function readUnsentPosts(call: Call, query: PostListFilter) {
  if (!includesUnsentPosts(query.statuses)) return { posts: [], isTruncated: false };
  const { workspace, user } = call.actor;
  const { projectId: project } = query;
  const { posts, isTruncated } = await listUnsentPosts(call.context.submissions.context, {
    workspace,
    project,
    author: call.may('manager', project) ? undefined : user,
    statuses: query.statuses,
  });
  const matchingPosts = posts
    .filter(({ post }) => matchesListFilter(post, query))
    .map((listedPost) => ({ ...listedPost, isUnsent: listedPost.post.id === undefined }));
  return { posts: matchingPosts, isTruncated };
}

/** Whether the list also shows drafts without a date. Only the list of a whole week shows them. */
function includesUndatedDrafts(filter: PostFilter): boolean {
  const { statuses, isUndatedOnly, omitsUndatedDrafts } = filter;
  if (isUndatedOnly || omitsUndatedDrafts) return false;
  return isWholeWeek(filter) && (statuses.length === 0 || statuses.includes('DRAFT'));
}

/** Whether a post has no date. A post with an unreadable date has one. */
function isUndated({ scheduleDate, unreadableFields = [] }: Post): boolean {
  return scheduleDate === undefined && !unreadableFields.includes('ScheduleDate');
}

/** A post, with the fields that only Upnext knows. */
export interface ListedPost {
  post: Post;
  /** The Slack id of the author, if the post was sent from Upnext. */
  author?: string | undefined;
  /** Whether it isn't certain that the service has the post. Its row has no buttons, because the outbox has them. */
  isUnsent?: boolean;
  /** What its description depends on, unless Upnext keeps it. */
  facts?: PostFacts | undefined;
  /** Set if Upnext keeps the post. */
  held?: HeldInfo | undefined;
  /** Set for a draft if a duplicate of it was sent. `scheduledAt` is undefined if the duplicate is a draft too. */
  duplicate?: { scheduledAt: Date | undefined; zone: string | undefined } | undefined;
}

async function addAuthorsAndDuplicates(
  call: Call,
  project: Project,
  posts: readonly Post[],
): Promise<readonly (ListedPost & { project: Project })[]> {
  const { context, actor } = call;
  const { workspace } = actor;
  const [authors, duplicatesByDraft] = await Promise.all([
    findPostAuthors(context.heldPosts, workspace, new Map([[project.id, posts]])),
    findScheduledDrafts(context.db, {
      workspace,
      project: project.id,
      drafts: posts.flatMap((post) => (hasStatus(post, 'DRAFT') ? (post.id ?? []) : [])),
    }),
  ]);
  return posts.map((post) => ({
    ...{ project, post },
    facts: { status: post.status, readAt: call.now() },
    author: authors.get(post),
    duplicate: duplicatesByDraft.get(post.id ?? ''),
  }));
}
