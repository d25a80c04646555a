import type { Post } from '../../../api/posts.ts';
import type { Project } from '../../../api/projects.ts';
import type { Call } from '../../../app/call.ts';
import { computePostFingerprint } from '../../../posts/post-fingerprint.ts';
import { type PostList, readPostList } from '../../../posts/read-post-list.ts';
import type { ServiceFailure } from '../../../slack/service-failure.ts';
import { authorsOf } from '../../../submissions/sql/authors.ts';
import { draftCopiesOf } from '../../../submissions/sql/draft-copies.ts';
import type { PostFilter } from '../filter/post-filter.ts';
import { countWholeDays } from '../filter/whole-days.ts';

const KIND = 'post';
const WEEK = 7;

/** A post, and what Upnext knows about it. */
export interface ListedPost {
  post: Post;
  /** The Slack id of the author, if the post was sent from Upnext. */
  author?: string | undefined;
  /** Set for a draft of which a copy was sent. `scheduledAt`: undefined if the copy is a draft too. */
  copied?: { scheduledAt: Date | undefined; zone: string | undefined } | undefined;
}

/** The posts that a filter matches. */
export interface FoundPosts {
  kind: 'found';
  dated: readonly ListedPost[];
  undated: readonly ListedPost[];
  unreadable: number;
  /** The service has more posts than were read. */
  isTruncated: boolean;
  /** Set if `undated` are drafts shown with a week. `isTruncated`: the service has more drafts than were read. */
  undatedDrafts?: { isTruncated: boolean };
}

/** Reads the posts that match a filter, and in a week also the drafts without a date. */
export async function readList(
  call: Call,
  project: Project,
  filter: PostFilter,
): Promise<FoundPosts | { kind: 'trouble'; trouble: ServiceFailure | 'unreadable' }> {
  const { api } = call.context;
  const about = { projectId: project.id, platforms: filter.platforms };
  const drafts = () => readPostList(api, { ...about, statuses: ['DRAFT'] });
  const main = filter.undated
    ? drafts()
    : readPostList(api, {
        ...about,
        statuses: filter.statuses,
        ...(filter.from !== undefined && { from: new Date(filter.from) }),
        ...(filter.to !== undefined && { to: new Date(filter.to) }),
      });
  const [read, weekDrafts] = await Promise.all([main, includesDrafts(filter) ? drafts() : undefined]);
  if (read.kind === 'trouble') return read;
  if (weekDrafts?.kind === 'trouble') return weekDrafts;
  const posts = [...read.posts, ...(weekDrafts?.posts.filter(isUndated) ?? [])];
  return splitByDate(await addAuthors(call, project, filter, posts), filter, read, weekDrafts);
}

/** A list of one whole week also shows the drafts that have no date yet. */
function includesDrafts({ statuses, from, to, zone, undated }: PostFilter): boolean {
  if (undated || from === undefined || to === undefined || zone === undefined) return false;
  const isWeek = countWholeDays({ from: new Date(from), to: new Date(to), zone }) === WEEK;
  return isWeek && (statuses.length === 0 || statuses.includes('DRAFT'));
}

/** A post with an unreadable date isn't undated. */
function isUndated({ scheduleDate, unread = [] }: Post): boolean {
  return scheduleDate === undefined && !unread.includes('ScheduleDate');
}

function splitByDate(
  all: readonly ListedPost[],
  filter: PostFilter,
  read: PostList,
  weekDrafts: PostList | undefined,
): FoundPosts {
  return {
    kind: 'found',
    dated: filter.undated ? [] : all.filter(({ post }) => !isUndated(post)),
    undated: all.filter(({ post }) => isUndated(post)),
    unreadable: read.unreadable + (weekDrafts?.unreadable ?? 0),
    isTruncated: read.isTruncated,
    ...(weekDrafts && { undatedDrafts: { isTruncated: weekDrafts.isTruncated } }),
  };
}

/** Adds the author of each post and the copies of drafts. The filter `mine` keeps only the actor's posts. */
async function addAuthors(
  call: Call,
  project: Project,
  { mine }: PostFilter,
  posts: readonly Post[],
): Promise<readonly ListedPost[]> {
  const { context, actor } = call;
  const { workspace } = actor;
  const fingerprints = await context.submissions.fingerprintsOf(
    { workspace, kind: KIND, project: project.id },
    posts.map((post) => fingerprintPost(project, post)),
  );
  const [authors, copies] = await Promise.all([
    authorsOf(context.db, {
      workspace,
      kind: KIND,
      results: posts.flatMap(({ id }) => id ?? []),
      fingerprints,
    }),
    draftCopiesOf(context.db, {
      workspace,
      project: project.id,
      drafts: posts.flatMap(({ id, status }) => (status?.toUpperCase() === 'DRAFT' ? (id ?? []) : [])),
    }),
  ]);
  const listed = posts.map((post, index) => ({
    post,
    author: authors.byResult.get(post.id ?? '') ?? authors.byFingerprint.get(fingerprints[index] ?? ''),
    copied: copies.get(post.id ?? ''),
  }));
  return mine ? listed.filter(({ author }) => author === actor.user) : listed;
}

function fingerprintPost(
  project: Project,
  { content, media, platforms, scheduleDate, status }: Post,
): string {
  const isDraft = status?.toUpperCase() === 'DRAFT';
  return computePostFingerprint({ projectId: project.id, content, media, platforms, scheduleDate, isDraft });
}
