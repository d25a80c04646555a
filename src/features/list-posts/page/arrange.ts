import type { Post } from '../../../api/posts.ts';
import type { Reader } from '../../../forms/form-context.ts';
import { comparePosts } from '../../../posts/post-order.ts';
import { hasStatus, readPublicationStatus } from '../../../posts/post-status.ts';
import { renderMoment } from '../../../posts/post-time.ts';
import { HELD, PUBLICATION } from '../../../posts/state-copy.ts';
import { UNSENT_STATUSES } from '../../../submissions/unsent-posts.ts';
import type { PostFilter } from '../filter/post-filter.ts';
import type { FoundPosts, ListedPost } from './read-list.ts';

/** The person who reads a list. `zone` is the zone of the days by which the list is grouped. */
export type ListViewer = Pick<Reader, 'user' | 'now' | 'zone' | 'knownZone' | 'locale'>;

function hasDateRange({ from, to }: PostFilter): boolean {
  return from !== undefined || to !== undefined;
}

/**
 * Sorts the posts of a list. If the filter has a date range, posts are in chronological order. All other lists begin
 * with the upcoming posts, soonest first, followed by the other groups, latest first. Posts without a date come last.
 */
export function sortPosts(
  { dated, undated }: FoundPosts,
  filter: PostFilter,
  viewer: Pick<ListViewer, 'now' | 'zone'>,
): readonly ListedPost[] {
  if (hasDateRange(filter))
    return [...dated.toSorted((one, other) => comparePosts(one.post, other.post)), ...undated];
  const groups = Object.groupBy(dated, ({ post }) => getGroup(post, filter, viewer).title);
  const sortGroup = (title: string, direction: 1 | -1) =>
    (groups[title] ?? []).toSorted((one, other) => direction * comparePosts(one.post, other.post));
  return [
    ...sortGroup(UPCOMING, 1),
    ...sortGroup(NOT_PUBLISHED, -1),
    ...sortGroup(UNCLEAR, -1),
    ...sortGroup(PUBLISHED, -1),
    ...sortGroup(CANCELLED, -1),
    ...sortGroup(UNREADABLE_DATE, 1),
    ...undated,
  ];
}

const UPCOMING = 'Upcoming';
const NOT_PUBLISHED = 'Not published yet';
/** Past posts whose status doesn't say whether they were published. */
const UNCLEAR = 'Past';
const PUBLISHED = PUBLICATION.published.name;
const CANCELLED = HELD.cancelled.name;
const UNREADABLE_DATE = 'With an unreadable date';

/** A group of posts in a list. `day` and `status`: the title names them, so the rows below it omit them. */
interface PostGroup {
  title: string;
  day?: string;
  status?: string;
}

/** Returns the group of a post. If the filter has a date range, each day is a group. */
export function getGroup(
  post: Post,
  filter: PostFilter,
  { now, zone }: Pick<ListViewer, 'now' | 'zone'>,
): PostGroup {
  const { scheduleDate, status, unreadableFields = [] } = post;
  if (!scheduleDate) {
    if (unreadableFields.includes('ScheduleDate')) return { title: UNREADABLE_DATE, day: '' };
    return hasStatus(post, 'DRAFT')
      ? { title: 'Drafts without a date', day: '', status: 'DRAFT' }
      : { title: 'Without a date', day: '' };
  }
  if (hasDateRange(filter)) {
    const [day = ''] = renderMoment(scheduleDate, zone, now).split(', ');
    return { title: day, day };
  }
  if (hasStatus(post, 'PUBLISHED')) return { title: PUBLISHED, status: 'PUBLISHED' };
  if (hasStatus(post, 'CANCELLED')) return { title: CANCELLED, status: 'CANCELLED' };
  const isUpcoming = scheduleDate >= now && !UNSENT_STATUSES.some((unsent) => unsent === status);
  if (isUpcoming) return { title: UPCOMING, status: 'SCHEDULED' };
  return { title: readPublicationStatus(status) === 'unclear' ? UNCLEAR : NOT_PUBLISHED };
}
