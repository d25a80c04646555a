import type { Post } from '../../../api/posts.ts';
import { renderMoment } from '../../../posts/render-post.ts';
import type { PostFilter } from '../filter/post-filter.ts';
import type { FoundPosts, ListedPost } from './read-list.ts';

/** The reader's time, and the zone whose days group the list. */
interface ReaderTime {
  now: Date;
  zone: string;
}

/**
 * A list of certain days is in chronological order. Otherwise upcoming posts come first, soonest first; then past posts,
 * latest first. Posts without a date come last.
 */
export function sortPosts(
  { dated, undated }: FoundPosts,
  filter: PostFilter,
  now: Date,
): readonly ListedPost[] {
  const isWithinDays = filter.from !== undefined || filter.to !== undefined;
  const at = ({ post }: ListedPost) => post.scheduleDate?.getTime() ?? Number.POSITIVE_INFINITY;
  const isOver = (one: ListedPost) => !isWithinDays && at(one) < now.getTime();
  const order = (one: ListedPost, other: ListedPost) => {
    if (at(one) === at(other)) return 0;
    if (isOver(one) !== isOver(other)) return isOver(one) ? 1 : -1;
    return isOver(one) ? at(other) - at(one) : at(one) - at(other);
  };
  return [...dated.toSorted(order), ...undated];
}

/** The title of a post's group: "Tue 1 Dec". */
export function groupTitle({ scheduleDate, status, unread = [] }: Post, { now, zone }: ReaderTime): string {
  if (scheduleDate) return dayText(renderMoment(scheduleDate, zone, now));
  if (unread.includes('ScheduleDate')) return 'With a date that I cannot read';
  return status?.toUpperCase() === 'DRAFT' ? 'Drafts without a date' : 'Without a date';
}

function dayText(moment: string): string {
  return moment.split(', ')[0] ?? moment;
}

/** Removes the day from a moment, if it is the day in the group's title. */
export function stripDay(day: string, moment: string): string {
  return moment.startsWith(`${day}, `) ? moment.slice(day.length + 2) : moment;
}
