import type { Post } from '../../../api/posts.ts';
import type { Reader } from '../../../forms/form-context.ts';
import { comparePosts } from '../../../posts/post-order.ts';
import { renderMoment } from '../../../posts/post-time.ts';
import type { PostFilter } from '../filter/post-filter.ts';
import type { ListedPost } from './listed-post.ts';
import type { FoundPosts } from './read-list.ts';

/** The person who reads a list. `zone` is the zone of the days by which the list is grouped. */
export type ListViewer = Pick<Reader, 'now' | 'zone' | 'knownZone' | 'locale'>;

/**
 * Sorts the posts of a list. If the filter has a date range, posts are in chronological order. All other lists begin
 * with the upcoming posts, soonest first, followed by the past posts, latest first. Posts without a date come last.
 */
export function sortPosts(
  { dated, undated }: FoundPosts,
  filter: PostFilter,
  now: Date,
): readonly ListedPost[] {
  const hasDateRange = filter.from !== undefined || filter.to !== undefined;
  const getTime = ({ post }: ListedPost) => post.scheduleDate?.getTime() ?? Number.POSITIVE_INFINITY;
  const isPast = (listed: ListedPost) => !hasDateRange && getTime(listed) < now.getTime();
  const compare = (first: ListedPost, second: ListedPost) => {
    if (isPast(first) !== isPast(second)) return isPast(first) ? 1 : -1;
    return isPast(first) ? comparePosts(second.post, first.post) : comparePosts(first.post, second.post);
  };
  return [...dated.toSorted(compare), ...undated];
}

/** Renders the title of the group that a post belongs to: "Tue 1 Dec". */
export function renderGroupTitle(
  { scheduleDate, status, unreadableFields = [] }: Post,
  { now, zone }: Pick<ListViewer, 'now' | 'zone'>,
): string {
  if (scheduleDate) return renderDay(renderMoment(scheduleDate, zone, now));
  if (unreadableFields.includes('ScheduleDate')) return 'With an unreadable date';
  return status?.toUpperCase() === 'DRAFT' ? 'Drafts without a date' : 'Without a date';
}

function renderDay(moment: string): string {
  return moment.split(', ')[0] ?? moment;
}
