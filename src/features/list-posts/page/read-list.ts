import { computePostFingerprint, type Post } from '../../../api/posts.ts';
import type { Project } from '../../../api/projects.ts';
import type { Call } from '../../../app/call.ts';
import { normalizeName } from '../../../posts/normalize-name.ts';
import { type PostList, readPostList } from '../../../posts/read-post-list.ts';
import { fetchNames } from '../../../slack/fetch-display-name.ts';
import type { ServiceFailure } from '../../../slack/service-failure.ts';
import { findAuthors } from '../../../submissions/sql/authors.ts';
import { findScheduledDrafts } from '../../../submissions/sql/scheduled-drafts.ts';
import { isSlackId, type PostFilter } from '../filter/post-filter.ts';
import { countWholeDays } from '../filter/whole-days.ts';

const POST_KIND = 'post';
const WEEK_DAYS = 7;
/** Maximum authors whose names are looked up for one list. Slack allows about 100 lookups a minute. */
const MAX_AUTHORS = 30;

/** A post, with the fields that only Upnext knows. */
export interface ListedPost {
  post: Post;
  /** The Slack id of the author, if the post was sent from Upnext. */
  author?: string | undefined;
  /** Set for a draft if a copy of it was sent. `scheduledAt` is undefined if the copy is a draft too. */
  draftCopy?: { scheduledAt: Date | undefined; zone: string | undefined } | undefined;
}

/** The posts that match a filter. */
export interface FoundPosts {
  kind: 'found';
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

/** Reads the posts that match a filter. For a whole week, also reads the drafts without a date. */
export async function readPosts(
  call: Call,
  project: Project,
  filter: PostFilter,
): Promise<FoundPosts | { kind: 'trouble'; trouble: ServiceFailure | 'unreadable' }> {
  const { api } = call.context;
  const query = { projectId: project.id, platforms: filter.platforms };
  const readAllDrafts = () => readPostList(api, { ...query, statuses: ['DRAFT'] });
  const pendingMainList = filter.isUndatedOnly
    ? readAllDrafts()
    : readPostList(api, {
        ...query,
        statuses: filter.statuses,
        ...(filter.from !== undefined && { from: new Date(filter.from) }),
        ...(filter.to !== undefined && { to: new Date(filter.to) }),
      });
  const [mainList, weekDrafts] = await Promise.all([
    pendingMainList,
    includesUndatedDrafts(filter) ? readAllDrafts() : undefined,
  ]);
  if (mainList.kind === 'trouble') return mainList;
  if (weekDrafts?.kind === 'trouble') return weekDrafts;
  const posts = [...mainList.posts, ...(weekDrafts?.posts.filter(isUndated) ?? [])];
  return splitByDate(await addAuthorsAndCopies(call, project, filter, posts), filter, mainList, weekDrafts);
}

/** Whether the list also shows drafts without a date. Only the list of a whole week shows them. */
function includesUndatedDrafts({ statuses, from, to, zone, isUndatedOnly }: PostFilter): boolean {
  if (isUndatedOnly || from === undefined || to === undefined || zone === undefined) return false;
  const isWeek = countWholeDays({ from: new Date(from), to: new Date(to), zone }) === WEEK_DAYS;
  return isWeek && (statuses.length === 0 || statuses.includes('DRAFT'));
}

/** Whether a post has no date. A post with an unreadable date has one. */
function isUndated({ scheduleDate, unreadableFields = [] }: Post): boolean {
  return scheduleDate === undefined && !unreadableFields.includes('ScheduleDate');
}

/** Divides the posts into posts with and without a date. */
function splitByDate(
  listedPosts: readonly ListedPost[],
  filter: PostFilter,
  mainList: PostList,
  weekDrafts: PostList | undefined,
): FoundPosts {
  return {
    kind: 'found',
    dated: filter.isUndatedOnly ? [] : listedPosts.filter(({ post }) => !isUndated(post)),
    undated: listedPosts.filter(({ post }) => isUndated(post)),
    unreadableCount: mainList.unreadableCount + (weekDrafts?.unreadableCount ?? 0),
    isTruncated: mainList.isTruncated,
    ...(weekDrafts && { undatedDrafts: { isTruncated: weekDrafts.isTruncated } }),
  };
}

/** Adds the author of each post, and the copy of each draft. Removes posts without the filter's text or author. */
async function addAuthorsAndCopies(
  call: Call,
  project: Project,
  filter: PostFilter,
  posts: readonly Post[],
): Promise<readonly ListedPost[]> {
  const { context, actor } = call;
  const { workspace } = actor;
  const fingerprints = await context.submissions.computeFingerprints(
    { workspace, kind: POST_KIND, project: project.id },
    posts.map((post) => computeFingerprint(project, post)),
  );
  const [authors, draftCopies] = await Promise.all([
    findAuthors(context.db, {
      workspace,
      kind: POST_KIND,
      serviceIds: posts.flatMap(({ id }) => id ?? []),
      fingerprints,
    }),
    findScheduledDrafts(context.db, {
      workspace,
      project: project.id,
      drafts: posts.flatMap(({ id, status }) => (status?.toUpperCase() === 'DRAFT' ? (id ?? []) : [])),
    }),
  ]);
  const listedPosts = posts.map((post, index) => ({
    post,
    author: authors.byServiceId.get(post.id ?? '') ?? authors.byFingerprint.get(fingerprints[index] ?? ''),
    draftCopy: draftCopies.get(post.id ?? ''),
  }));
  const foundPosts = listedPosts.filter(({ post }) => containsWords(post, filter.search ?? ''));
  if (filter.isMineOnly) return foundPosts.filter(({ author }) => author === actor.user);
  return filter.author === undefined ? foundPosts : filterByAuthor(call, foundPosts, filter.author);
}

function containsWords({ content = '' }: Post, words: string): boolean {
  if (words === '') return true;
  const text = normalizeName(content);
  return normalizeName(words)
    .split(' ')
    .every((word) => text.includes(word));
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

function computeFingerprint(
  project: Project,
  { content, media, platforms, scheduleDate, status }: Post,
): string {
  const isDraft = status?.toUpperCase() === 'DRAFT';
  return computePostFingerprint({ projectId: project.id, content, media, platforms, scheduleDate, isDraft });
}
