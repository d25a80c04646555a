import type { Post } from '../../../api/posts.ts';
import type { Project } from '../../../api/projects.ts';
import type { Call } from '../../../app/call.ts';
import { postFingerprint } from '../../../posts/post-fingerprint.ts';
import { type PostsRead, readPostList } from '../../../posts/read-post-list.ts';
import type { ServiceFailure } from '../../../slack/service-trouble.ts';
import { authorsOf } from '../../../submissions/sql/authors.ts';
import { draftCopiesOf } from '../../../submissions/sql/draft-copies.ts';
import type { PostFilter } from '../filter/post-filter.ts';
import { wholeDays } from '../filter/whole-days.ts';

const KIND = 'post';
const WEEK = 7;

/** A post of a list, and what is known of it here. */
export interface Listed {
  post: Post;
  /** The Slack id of who sent it from here. */
  author?: string | undefined;
  /** A draft that was scheduled as another post. */
  copied?: { scheduledAt: Date | undefined; zone: string | undefined } | undefined;
}

/** What a filter finds: with a date, and without one. */
export interface Found {
  kind: 'found';
  dated: readonly Listed[];
  undated: readonly Listed[];
  unreadable: number;
  /** The service has more posts than were read. */
  isTruncated: boolean;
  /** The drafts without a date that stand beside a week; `isTruncated` where the service has more drafts than were read. */
  beside?: { isTruncated: boolean };
}

/** Everything that a list shows, as the service has it now. */
export async function readList(
  call: Call,
  project: Project,
  filter: PostFilter,
): Promise<Found | { kind: 'trouble'; trouble: ServiceFailure | 'unreadable' }> {
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
  const [read, beside] = await Promise.all([main, showsDraftsBeside(filter) ? drafts() : undefined]);
  if (read.kind === 'trouble') return read;
  if (beside?.kind === 'trouble') return beside;
  const all = await known(call, project, filter, [...read.posts, ...(beside?.posts.filter(isUndated) ?? [])]);
  return sorted(all, filter, read, beside);
}

/** A week is shown whole: with what has no day yet. */
function showsDraftsBeside({ statuses, from, to, zone, undated }: PostFilter): boolean {
  if (undated || from === undefined || to === undefined || zone === undefined) return false;
  const isWeek = wholeDays({ from: new Date(from), to: new Date(to), zone }) === WEEK;
  return isWeek && (statuses.length === 0 || statuses.includes('DRAFT'));
}

/** A date that cannot be read is a date. */
function isUndated({ scheduleDate, unread = [] }: Post): boolean {
  return scheduleDate === undefined && !unread.includes('ScheduleDate');
}

function sorted(
  all: readonly Listed[],
  filter: PostFilter,
  read: PostsRead,
  beside: PostsRead | undefined,
): Found {
  return {
    kind: 'found',
    dated: filter.undated ? [] : all.filter(({ post }) => !isUndated(post)),
    undated: all.filter(({ post }) => isUndated(post)),
    unreadable: read.unreadable + (beside?.unreadable ?? 0),
    isTruncated: read.isTruncated,
    ...(beside && { beside: { isTruncated: beside.isTruncated } }),
  };
}

/** Who sent each from here, and which drafts were scheduled since; where only one's own are wanted, only these. */
async function known(
  call: Call,
  project: Project,
  { mine }: PostFilter,
  posts: readonly Post[],
): Promise<readonly Listed[]> {
  const { context, who } = call;
  const { workspace } = who;
  const fingerprints = await context.submissions.fingerprintsOf(
    { workspace, kind: KIND, project: project.id },
    posts.map((post) => fingerprintOf(project, post)),
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
  return mine ? listed.filter(({ author }) => author === who.user) : listed;
}

function fingerprintOf(project: Project, { content, media, platforms, scheduleDate, status }: Post): string {
  const isDraft = status?.toUpperCase() === 'DRAFT';
  return postFingerprint({ projectId: project.id, content, media, platforms, scheduleDate, isDraft });
}
