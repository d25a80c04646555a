import type { ApiClient } from '../../../api/client.ts';
import { POST_STATUSES } from '../../../api/platforms.ts';
import type { Post } from '../../../api/posts.ts';
import type { Project } from '../../../api/projects.ts';
import type { Call } from '../../../app/call.ts';
import { containsWords, normalizeName } from '../../../posts/normalize-name.ts';
import { hasStatus } from '../../../posts/post-status.ts';
import { type PostList, type PostListFilter, readPostList } from '../../../posts/read-post-list.ts';
import { fetchNames } from '../../../slack/fetch-people.ts';
import type { ServiceFailure } from '../../../slack/service-failure.ts';
import { isSlackId, type PostFilter } from '../filter/post-filter.ts';
import { addAuthorsAndDuplicates, type ListedPost } from './listed-post.ts';
import {
  includesUndatedDrafts,
  includesUnsentPosts,
  isUndated,
  readUpnextPosts,
  toListFilter,
} from './read-upnext-posts.ts';

/** Maximum authors whose names are looked up for one list. Slack allows about 100 lookups a minute. */
const MAX_AUTHORS = 30;

type ReadFailure = ServiceFailure | 'unreadable';

/** The posts that match a filter. */
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
  /** Whether the service has more posts than were read. */
  isTruncated: boolean;
  /** Set only for a list of a whole week, which also shows the drafts without a date. */
  undatedDrafts?: {
    /** Whether the service has more drafts than were read. */
    isTruncated: boolean;
  };
}

/** A list without posts, for a filter that matches none of the service's posts. */
const EMPTY_LIST: PostList = { kind: 'read', posts: [], unreadableCount: 0, isTruncated: false };

/**
 * Reads the posts that match a filter, in the service and in the outbox. For a whole week, also reads the drafts
 * without a date.
 */
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
  // These are read last: a post that is handed over meanwhile is then in one of the lists, or in both.
  const [listedServicePosts, { posts: upnextPosts, isTruncated }] = await Promise.all([
    addAuthorsAndDuplicates(call, project, servicePosts),
    readUpnextPosts(call, project, filter, servicePosts),
  ]);
  const upnextIds = new Set(upnextPosts.flatMap(({ post }) => post.id ?? []));
  const listedPosts = [
    ...upnextPosts,
    ...listedServicePosts.filter(({ post: { id } }) => id === undefined || !upnextIds.has(id)),
  ];
  const matchingPosts = await filterListedPosts(call, listedPosts, filter);
  if (failedList?.kind === 'failed' && matchingPosts.length === 0) return failedList;
  return {
    ...splitByDate(matchingPosts, filter, mainList, weekDrafts),
    isTruncated: mainList.isTruncated || isTruncated,
    failure: failedList?.kind === 'failed' ? failedList.failure : undefined,
    omitsUnsentPostsOfOthers: includesUnsentPosts(filter.statuses) && !call.may('manager', project.id),
  };
}

/** The documented statuses of the service's posts, and one that services have too. */
const SERVICE_STATUSES: readonly string[] = [...POST_STATUSES, 'FAILED'];

/** Reads the posts with a status that the service's posts can have. */
function readServicePosts(api: ApiClient, query: PostListFilter): ReturnType<typeof readPostList> {
  const statuses = query.statuses.filter((status) => SERVICE_STATUSES.includes(status));
  const matchesNoPost = query.statuses.length > 0 && statuses.length === 0;
  return matchesNoPost ? Promise.resolve(EMPTY_LIST) : readPostList(api, { ...query, statuses });
}

function isUndatedDraft(post: Post): boolean {
  return isUndated(post) && hasStatus(post, 'DRAFT');
}

/** Divides the posts into posts with and without a date. */
function splitByDate(
  listedPosts: readonly ListedPost[],
  filter: PostFilter,
  mainList: PostList,
  weekDrafts: PostList | undefined,
): Omit<FoundPosts, 'omitsUnsentPostsOfOthers'> {
  return {
    kind: 'found',
    dated: filter.isUndatedOnly ? [] : listedPosts.filter(({ post }) => !isUndated(post)),
    undated: listedPosts.filter(({ post }) => isUndated(post)),
    unreadableCount: mainList.unreadableCount + (weekDrafts?.unreadableCount ?? 0),
    isTruncated: mainList.isTruncated,
    ...(weekDrafts && { undatedDrafts: { isTruncated: weekDrafts.isTruncated } }),
  };
}

/** Removes the posts that the filter excludes by their text, date or author. */
async function filterListedPosts(
  call: Call,
  posts: readonly ListedPost[],
  filter: PostFilter,
): Promise<readonly ListedPost[]> {
  const postsWithText = posts.filter(
    ({ post }) =>
      containsWords(post.content ?? '', filter.search ?? '') &&
      !(filter.omitsUndatedDrafts && isUndatedDraft(post)),
  );
  if (filter.isMineOnly) return postsWithText.filter(({ author }) => author === call.actor.user);
  return filter.author === undefined ? postsWithText : filterByAuthor(call, postsWithText, filter.author);
}

/** Returns the posts of one author. A typed name matches the beginning of any of the author's names in Slack. */
async function filterByAuthor(
  call: Call,
  posts: readonly ListedPost[],
  author: string,
): Promise<readonly ListedPost[]> {
  if (isSlackId(author)) return posts.filter((post) => post.author === author);
  const typedName = normalizeName(author);
  const ids = [...new Set(posts.flatMap((post) => post.author ?? []))].slice(0, MAX_AUTHORS);
  const matchingIds = await Promise.all(
    ids.map(async (id) => {
      const names = await fetchNames(call, id);
      return names.some((name) => normalizeName(name).startsWith(typedName)) ? [id] : [];
    }),
  );
  return posts.filter((post) => matchingIds.flat().includes(post.author ?? ''));
}
