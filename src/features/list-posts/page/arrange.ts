import type { Post } from '../../../api/posts.ts';
import { momentText } from '../../../posts/moment-words.ts';
import type { PostFilter } from '../filter/post-filter.ts';
import type { Found, Listed } from './read-list.ts';

/** Who reads: the days are those of this zone. */
interface Seen {
  now: Date;
  zone: string;
}

/**
 * As people look for them: within days by the calendar; otherwise what is to come, the soonest first, then what is
 * over, the latest first. What has no date comes last.
 */
export function inOrder({ dated, undated }: Found, filter: PostFilter, now: Date): readonly Listed[] {
  const isWithinDays = filter.from !== undefined || filter.to !== undefined;
  const at = ({ post }: Listed) => post.scheduleDate?.getTime() ?? Number.POSITIVE_INFINITY;
  const isOver = (one: Listed) => !isWithinDays && at(one) < now.getTime();
  const order = (one: Listed, other: Listed) => {
    if (at(one) === at(other)) return 0;
    if (isOver(one) !== isOver(other)) return isOver(one) ? 1 : -1;
    return isOver(one) ? at(other) - at(one) : at(one) - at(other);
  };
  return [...dated.toSorted(order), ...undated];
}

/** The day under which a post stands: "Tue 1 Dec". */
export function groupOf({ scheduleDate, status, unread = [] }: Post, { now, zone }: Seen): string {
  if (scheduleDate) return dayIn(momentText(scheduleDate, zone, now));
  if (unread.includes('ScheduleDate')) return 'With a date that I cannot read';
  return status?.toUpperCase() === 'DRAFT' ? 'Drafts without a date' : 'Without a date';
}

function dayIn(moment: string): string {
  return moment.split(', ')[0] ?? moment;
}

/** A moment without its day, where that stands above it already. */
export function under(day: string, moment: string): string {
  return moment.startsWith(`${day}, `) ? moment.slice(day.length + 2) : moment;
}
